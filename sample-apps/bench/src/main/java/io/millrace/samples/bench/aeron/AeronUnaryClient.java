package io.millrace.samples.bench.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.samples.bench.peer.CallLoop;
import io.millrace.samples.bench.peer.DutyThread;
import io.millrace.samples.bench.peer.PeerSite;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/** Claims requests and bulk in the log and takes responses from the log, on the duty thread. */
final class AeronUnaryClient implements BenchClient, DutyThread.Duty {
  private static final int FRAGMENTS_PER_POLL = 64;
  private static final long CONNECT_SECONDS = 20;

  private final AeronNode node;
  private final ExclusivePublication requests;
  private final Subscription responses;
  private final BufferClaim claim = new BufferClaim();
  private final FragmentHandler onResponse = this::onResponse;
  private final DutyThread thread;
  private volatile @Nullable CallLoop loop;
  private volatile @Nullable AeronBulkSender bulk;

  private AeronUnaryClient(PeerSite site, int mtuBytes, AeronPorts ports) {
    node = AeronNode.open(site, mtuBytes);
    responses = node.subscribe(ports.responses(), AeronNode.RESPONSE_STREAM);
    requests = node.publish(ports.requests(), AeronNode.REQUEST_STREAM);
    thread = new DutyThread("aeron-duty", this, site.gate());
  }

  static AeronUnaryClient open(PeerSite site, int mtuBytes, AeronPorts ports) throws IOException {
    AeronUnaryClient client = new AeronUnaryClient(site, mtuBytes, ports);
    long giveUpNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_SECONDS);
    while (!client.isConnected()) {
      if (System.nanoTime() - giveUpNs > 0) {
        throw new IOException("no connection to " + ports);
      }
      client.node.slowTurn();
      Thread.onSpinWait();
    }
    client.thread.start();
    return client;
  }

  @Override
  public void start(CallLoop next) {
    loop = next;
  }

  @Override
  public void start(BulkLoop next) {
    loop = null;
    bulk = new AeronBulkSender(next, requests);
  }

  @Override
  public void turn() {
    responses.poll(onResponse, FRAGMENTS_PER_POLL);
    CallLoop current = loop;
    AeronBulkSender sender = bulk;
    if (current != null) {
      send(current);
    } else if (sender != null) {
      sender.turn();
    }
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

  private void send(CallLoop current) {
    int length = current.payloadBytes();
    while (current.canBegin()) {
      long position = requests.tryClaim(length, claim);
      if (position < 0) {
        if (position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION) {
          current.onFailure();
        }
        return;
      }
      long id = current.begin();
      MutableDirectBuffer buffer = claim.buffer();
      int offset = claim.offset();
      buffer.putLong(offset, id);
      buffer.putBytes(offset + Long.BYTES, CallLoop.FILLER, 0, length - 2 * Long.BYTES);
      buffer.putLong(offset + length - Long.BYTES, CallLoop.tail(id));
      claim.commit();
    }
  }

  private void onResponse(DirectBuffer buffer, int offset, int length, Header header) {
    CallLoop current = loop;
    AeronBulkSender sender = bulk;
    if (current == null && sender != null) {
      sender.onCounted(buffer.getLong(offset), buffer.getLong(offset + Long.BYTES));
    } else if (current != null) {
      long tail = length < Long.BYTES ? 0 : buffer.getLong(offset + length - Long.BYTES);
      current.onResponse(length, buffer.getLong(offset), tail);
    }
  }
}
