package io.millrace.samples.bench.floor;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.samples.bench.peer.BenchClient;
import io.millrace.samples.bench.peer.CallLoop;
import io.millrace.samples.bench.peer.DutyThread;
import io.millrace.samples.bench.peer.PeerSite;
import org.jspecify.annotations.Nullable;

/** Sends a datagram and awaits the same datagram, again and again. Runs on the duty thread. */
final class FloorPing implements BenchClient, DutyThread.Duty, CompletionHandler {
  private final Endpoint endpoint;
  private final int server;
  private final DutyThread thread;
  private volatile @Nullable CallLoop loop;

  FloorPing(PeerSite site, String address) throws DriverException {
    endpoint = FloorNode.open(site);
    server = endpoint.resolve(FloorNode.address(address));
    thread = new DutyThread("floor-duty", this, site.gate());
    thread.start();
  }

  @Override
  public void start(CallLoop next) {
    loop = next;
  }

  @Override
  public void turn() {
    endpoint.poll(this, 1);
    CallLoop current = loop;
    if (current != null && current.canBegin()) {
      send(current);
    }
  }

  private void send(CallLoop current) {
    SendBuffer buffer = endpoint.acquireSendBuffer();
    if (buffer == null) {
      return;
    }
    int length = current.payloadBytes();
    long id = current.begin();
    buffer.buffer().putLong(0, id);
    buffer.buffer().putBytes(Long.BYTES, CallLoop.FILLER, 0, length - 2 * Long.BYTES);
    buffer.buffer().putLong(length - Long.BYTES, CallLoop.tail(id));
    endpoint.postSend(server, buffer, length, length, 0);
    endpoint.flush();
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    CallLoop current = loop;
    if (current != null && length >= Long.BYTES) {
      long tail = buffer.getLong(offset + length - Long.BYTES);
      current.onResponse(length, buffer.getLong(offset), tail);
    }
  }

  @Override
  public void slowTurn() {
    endpoint.poll(this, 1);
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public void onEnd() {
    endpoint.close();
  }

  @Override
  public void close() {
    thread.close();
  }
}
