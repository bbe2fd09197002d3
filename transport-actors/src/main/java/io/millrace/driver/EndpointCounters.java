package io.millrace.driver;

import java.util.Map;
import java.util.function.Supplier;

/** Plain counters of an endpoint: written by its worker, read by anyone, torn reads tolerated. */
public final class EndpointCounters {
  /** Datagrams handed to the network. */
  public long datagramsSent;

  /** Bytes of those datagrams. */
  public long bytesSent;

  /** System calls or doorbells that sent them. */
  public long sendCalls;

  /** Datagrams that the network refused or the send queue dropped. */
  public long sendFailures;

  /** Datagrams given to the handler. */
  public long datagramsReceived;

  /** Bytes of those datagrams. */
  public long bytesReceived;

  /** System calls or polls that brought at least one datagram. */
  public long receiveCalls;

  /** Polls that brought nothing. */
  public long emptyPolls;

  /** Datagrams dropped by the system because the receive queue was full, where it says so. */
  public long receiveQueueDrops;

  /** Datagrams dropped by the driver because they were longer than the settings allow. */
  public long oversizedDrops;

  private final Supplier<Map<String, Long>> ofDriver;

  /** Counters of a driver that counts nothing else. */
  public EndpointCounters() {
    this(Map::of);
  }

  /**
   * Counters of a driver that counts more.
   *
   * @param ofDriver what it counts beyond these, by name; called by any thread
   */
  public EndpointCounters(Supplier<Map<String, Long>> ofDriver) {
    this.ofDriver = ofDriver;
  }

  /** What the driver counts beyond these, by name, as it is now. Any thread; allocates. */
  public Map<String, Long> ofDriver() {
    return ofDriver.get();
  }
}
