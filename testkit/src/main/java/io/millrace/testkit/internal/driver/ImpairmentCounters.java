package io.millrace.testkit.internal.driver;

/** What one endpoint of {@link ImpairedDriver} did; written by its thread, read when it is done. */
public final class ImpairmentCounters {
  /** Datagrams that arrived. */
  public long arrived;

  /** Datagrams given to the handler, copies included. */
  public long delivered;

  /** Datagrams dropped. */
  public long lost;

  /** Datagrams delivered twice. */
  public long duplicated;

  /** Datagrams that at least one other overtook. */
  public long reordered;

  /** Datagrams in which a bit was flipped. */
  public long corrupted;

  /** Packets of chunks in which a bit behind the seal was flipped. */
  public long payloadsCorrupted;

  ImpairmentCounters() {}
}
