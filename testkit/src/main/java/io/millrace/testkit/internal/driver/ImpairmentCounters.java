package io.millrace.testkit.internal.driver;

/**
 * The counts of an endpoint of {@link ImpairedDriver}; written by the endpoint's thread, read at
 * the end.
 */
public final class ImpairmentCounters {
  /** Datagrams that arrived. */
  public long arrived;

  /** Datagrams given to the handler, copies included. */
  public long delivered;

  /** Datagrams dropped. */
  public long lost;

  /** Datagrams delivered twice. */
  public long duplicated;

  /** Datagrams overtaken by at least one later datagram. */
  public long reordered;

  /** Datagrams with a flipped bit. */
  public long corrupted;

  /** Packets of chunks with a flipped bit behind the seal. */
  public long payloadsCorrupted;

  ImpairmentCounters() {}
}
