package io.millrace.api;

import io.millrace.api.bulk.BulkSource;
import io.millrace.body.ForwardingSource;
import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * A process that serves a file to every reader, from the byte in the headers. A transfer from the
 * first byte stops in the middle, and its reader waits.
 */
final class FileSenderMain {
  /** A source with the bytes of a file up to a limit, then no further bytes and no end. */
  private static final class Stopping extends ForwardingSource {
    private long left;

    Stopping(BodySource source, long most) {
      super(source);
      left = most;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int most = (int) Math.min(length, left);
      int count = most == 0 ? 0 : super.read(into, offset, most);
      left -= Math.max(count, 0);
      return count;
    }
  }

  private FileSenderMain() {}

  private static BodySource source(Path file, byte[] headers, long most) throws IOException {
    long from = ByteBuffer.wrap(headers).getLong();
    BodySource source = BulkSource.file(file, from);
    return from == 0 ? new Stopping(source, most) : source;
  }

  /** Arguments: the file, and the number of bytes before the stop. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    long most = Long.parseLong(args[1]);
    try (Transport transport = Transport.start(TwoNodes.settings(""))) {
      Raw.serveBulkReads(
          transport,
          ResumedReadTest.FILE,
          offer -> CompletableFuture.completedFuture(source(file, offer.headers().encode(), most)));
      System.out.println("address " + transport.address());
      while (System.in.read() >= 0) {
        // The process reads no commands; the end of its input ends the process.
      }
    }
  }
}
