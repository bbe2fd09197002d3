package io.millrace.samples.bench.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.samples.bench.peer.BulkTally;
import io.millrace.samples.bench.peer.DutyThread;
import io.millrace.samples.bench.peer.PeerSite;
import java.io.IOException;
import org.agrona.DirectBuffer;

/** Copies every call's message into the response stream; counts bulk. */
final class AeronEchoServer implements BenchServer, DutyThread.Duty {
  private static final int FRAGMENTS_PER_POLL = 64;

  private final AeronPorts ports;
  private final AeronNode node;
  private final Subscription requests;
  private final ExclusivePublication responses;
  private final BufferClaim claim = new BufferClaim();
  private final ControlledFragmentHandler echo = this::onRequest;
  private final DutyThread thread;
  private final byte[] verified = new byte[BulkLoop.BLOCK_BYTES];
  private BulkTally tally = new BulkTally(false);

  private AeronEchoServer(PeerSite site, int mtuBytes, AeronPorts ports) {
    this.ports = ports;
    node = AeronNode.open(site, mtuBytes);
    requests = node.subscribe(ports.requests(), AeronNode.REQUEST_STREAM);
    responses = node.publish(ports.responses(), AeronNode.RESPONSE_STREAM);
    thread = new DutyThread("aeron-duty", this, site.gate());
  }

  static AeronEchoServer open(PeerSite site, int mtuBytes) throws IOException {
    AeronEchoServer server = new AeronEchoServer(site, mtuBytes, AeronPorts.free());
    server.thread.start();
    return server;
  }

  @Override
  public String address() {
    return ports.toString();
  }

  @Override
  public void turn() {
    requests.controlledPoll(echo, FRAGMENTS_PER_POLL);
    node.turn();
  }

  @Override
  public void slowTurn() {
    node.slowTurn();
  }

  @Override
  public boolean isConnected() {
    return requests.isConnected() && responses.isConnected();
  }

  @Override
  public void onEnd() {
    node.close();
  }

  @Override
  public void close() {
    thread.close();
  }

  private ControlledFragmentHandler.Action onRequest(
      DirectBuffer buffer, int offset, int length, Header header) {
    long mark = header.reservedValue();
    if (mark != AeronBulkSender.CALL) {
      return onBulk(mark, buffer, offset, length);
    }
    if (responses.tryClaim(length, claim) < 0) {
      return ControlledFragmentHandler.Action.ABORT;
    }
    claim.buffer().putBytes(claim.offset(), buffer, offset, length);
    claim.commit();
    return ControlledFragmentHandler.Action.CONTINUE;
  }

  private ControlledFragmentHandler.Action onBulk(
      long mark, DirectBuffer buffer, int offset, int length) {
    if (mark == AeronBulkSender.BULK) {
      tally.onBytes(length);
    } else if (mark == AeronBulkSender.VERIFIED) {
      if (!tally.isVerifying()) {
        tally = new BulkTally(true);
      }
      buffer.getBytes(offset, verified, 0, length);
      tally.onBytes(verified, 0, length);
    } else {
      if (responses.tryClaim(2 * Long.BYTES, claim) < 0) {
        return ControlledFragmentHandler.Action.ABORT;
      }
      claim.buffer().putLong(claim.offset(), tally.bytes());
      claim.buffer().putLong(claim.offset() + Long.BYTES, tally.checksum());
      claim.commit();
      tally = new BulkTally(false);
    }
    return ControlledFragmentHandler.Action.CONTINUE;
  }
}
