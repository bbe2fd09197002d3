package io.millrace.samples.bench.floor;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.DutyThread;
import io.millrace.samples.bench.peer.PeerSite;

/** Sends every datagram back to the only client. Runs on the duty thread. */
final class FloorEcho implements BenchServer, DutyThread.Duty, CompletionHandler {
  private static final int NOBODY = -1;

  private final Endpoint endpoint;
  private final String address;
  private final DutyThread thread;
  private int client = NOBODY;

  FloorEcho(PeerSite site) throws DriverException {
    endpoint = FloorNode.open(site);
    address = FloorNode.text(endpoint.localAddress());
    thread = new DutyThread("floor-duty", this, site.gate());
    thread.start();
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void turn() {
    if (endpoint.poll(this, 1) > 0) {
      endpoint.flush();
    }
  }

  @Override
  public void slowTurn() {
    turn();
  }

  @Override
  public boolean isConnected() {
    return client != NOBODY;
  }

  @Override
  public void onEnd() {
    endpoint.close();
  }

  @Override
  public void close() {
    thread.close();
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    SendBuffer answer = endpoint.acquireSendBuffer();
    if (answer != null) {
      answer.buffer().putBytes(0, buffer, offset, length);
      endpoint.postSend(destination(), answer, length, length, 0);
    }
  }

  private int destination() {
    EndpointAddress source = client == NOBODY ? endpoint.receiveSource() : null;
    if (source != null) {
      try {
        client = endpoint.resolve(source);
      } catch (DriverException e) {
        throw new IllegalStateException(e);
      }
    }
    return client;
  }
}
