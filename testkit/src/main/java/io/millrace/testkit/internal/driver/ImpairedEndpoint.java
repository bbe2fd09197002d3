package io.millrace.testkit.internal.driver;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import org.jspecify.annotations.Nullable;

/** An endpoint with {@link ReceptionFaults} between the driver and the handler. */
final class ImpairedEndpoint implements Endpoint {
  private final Endpoint delegate;
  private final ReceptionFaults faults;

  ImpairedEndpoint(Endpoint delegate, ReceptionFaults faults) {
    this.delegate = delegate;
    this.faults = faults;
  }

  @Override
  public int poll(CompletionHandler handler, int limit) {
    faults.deliverTo(handler);
    int polled = delegate.poll(faults, limit);
    return polled + faults.onPolled(polled);
  }

  @Override
  public Capabilities capabilities() {
    return delegate.capabilities();
  }

  @Override
  public DriverNotices notices() {
    return delegate.notices();
  }

  @Override
  public EndpointAddress localAddress() {
    return delegate.localAddress();
  }

  @Override
  public int resolve(EndpointAddress remote) throws DriverException {
    return delegate.resolve(remote);
  }

  @Override
  public void release(int destination) {
    delegate.release(destination);
  }

  @Override
  public int pathMaxDatagramBytes(int destination) {
    return delegate.pathMaxDatagramBytes(destination);
  }

  @Override
  public @Nullable SendBuffer acquireSendBuffer() {
    return delegate.acquireSendBuffer();
  }

  @Override
  public void releaseSendBuffer(SendBuffer buffer) {
    delegate.releaseSendBuffer(buffer);
  }

  @Override
  public void postSend(
      int destination, SendBuffer buffer, int length, int segmentLength, long context) {
    delegate.postSend(destination, buffer, length, segmentLength, context);
  }

  @Override
  public void postSend(
      int sourcePort,
      int destination,
      SendBuffer buffer,
      int length,
      int segmentLength,
      long context) {
    delegate.postSend(sourcePort, destination, buffer, length, segmentLength, context);
  }

  @Override
  public int sourcePorts() {
    return delegate.sourcePorts();
  }

  @Override
  public int packetOverheadBytes() {
    return delegate.packetOverheadBytes();
  }

  @Override
  public void flush() {
    delegate.flush();
  }

  @Override
  public boolean hasPosted() {
    return delegate.hasPosted();
  }

  /**
   * Returns the source of the datagram, or null. For a held-back datagram, this is the source of
   * the datagram that released it.
   */
  @Override
  public @Nullable EndpointAddress receiveSource() {
    return delegate.receiveSource();
  }

  @Override
  public @Nullable RemoteMemory remoteMemory() {
    return delegate.remoteMemory();
  }

  @Override
  public void giveBack() {
    delegate.giveBack();
  }

  @Override
  public EndpointCounters counters() {
    return delegate.counters();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
