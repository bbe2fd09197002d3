package io.millrace.samples.bench.faults;

import io.millrace.api.Transport;
import io.millrace.transfer.BodyTarget;
import java.util.concurrent.CompletableFuture;

/** Answers calls with their payload, and drops bulk. */
final class MillraceFaultServer {
  private final Transport node;

  MillraceFaultServer(FaultSite site) {
    node = Transport.start(MillraceFaultNode.settings(site));
    node.serve(MillraceFaultNode.ECHO, CompletableFuture::completedFuture);
    node.serveBulkWrites(
        MillraceFaultNode.BULK, offer -> CompletableFuture.completedFuture(new Dropping()));
  }

  private static final class Dropping implements BodyTarget {
    @Override
    public void write(byte[] bytes, int offset, int length) {
      // The dropped body has no reader.
    }

    @Override
    public void complete() {
      // The dropped body needs no completion.
    }

    @Override
    public void abort(Throwable cause) {
      System.err.println("bulk: " + cause.getMessage());
    }
  }
}
