package io.millrace.samples.bench.faults;

import java.io.IOException;
import java.util.List;

/**
 * Makes calls as an application does. Safe on any thread. It ends with its process: what a client
 * does to close is not looked at.
 */
interface FaultClient {
  /** What an application allows a call. */
  long DEADLINE_SECONDS = 10;

  /** Told once for each call, on any thread; must not block. */
  @FunctionalInterface
  interface Ending {
    /**
     * The call ended.
     *
     * @param error how it failed, in the words of what carried it; empty if it did not
     */
    void onEnd(String error);
  }

  /** Waits for the servers, which listen. */
  void connect() throws IOException;

  /** Begins a call; never blocks for long. */
  void call(byte[] request, Ending ending);

  /** What it told beside the ends of calls: of the peer's health, for example. */
  default List<Told> told() {
    return List.of();
  }

  /** What each of its carriers has carried; nothing if it has but one. */
  default List<Carried> carried() {
    return List.of();
  }

  /** Something told at a time. */
  record Told(long atNs, String what) {}

  /**
   * What a NIC and driver have carried until now.
   *
   * @param name of both
   */
  record Carried(String name, long bytesSent, long bytesReceived) {
    /** One word. */
    String format() {
      return name + "=" + bytesSent + "/" + bytesReceived;
    }

    /** The reverse. */
    static Carried parse(String word) {
      int equals = word.lastIndexOf('=');
      int slash = word.lastIndexOf('/');
      return new Carried(
          word.substring(0, equals),
          Long.parseLong(word.substring(equals + 1, slash)),
          Long.parseLong(word.substring(slash + 1)));
    }
  }
}
