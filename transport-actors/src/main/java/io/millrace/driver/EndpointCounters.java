package io.millrace.driver;

import java.util.Map;
import java.util.function.Supplier;

/** Plain counters of an endpoint: written by its worker, read by anyone, torn reads tolerated. */
public final class EndpointCounters {
  /** Datagrams handed to the network. */
  public long datagramsSent;

  /** Bytes of the datagrams handed to the network. */
  public long bytesSent;

  /** System calls or doorbells that sent datagrams. */
  public long sendCalls;

  /** Datagrams that the network refused or the send queue dropped. */
  public long sendFailures;

  /** Datagrams given to the handler. */
  public long datagramsReceived;

  /** Bytes of the datagrams given to the handler. */
  public long bytesReceived;

  /** System calls or polls that brought at least 1 datagram. */
  public long receiveCalls;

  /** Polls that brought no datagram. */
  public long emptyPolls;

  /** Datagrams dropped by the system because of a full receive queue, where the system says so. */
  public long receiveQueueDrops;

  /** Datagrams dropped by the driver because of a length beyond the settings. */
  public long oversizedDrops;

  private final Supplier<Map<String, Long>> ofDriver;

  /** Creates the counters of a driver without further counters. */
  public EndpointCounters() {
    this(Map::of);
  }

  /**
   * Creates the counters of a driver with further counters.
   *
   * @param ofDriver supplies the driver's further counters, by name; called by any thread
   */
  public EndpointCounters(Supplier<Map<String, Long>> ofDriver) {
    this.ofDriver = ofDriver;
  }

  /** The driver's further counters, by name, at their present values. Any thread; allocates. */
  public Map<String, Long> ofDriver() {
    return ofDriver.get();
  }
}
