package io.millrace.samples.bench.faults;

import java.io.IOException;
import java.util.List;

/**
 * Makes calls as an application does. Safe for use on any thread. A client ends with its process:
 * the run does not look at a client's close.
 */
interface FaultClient {
  /** The deadline that an application gives a call. */
  long DEADLINE_SECONDS = 10;

  /** Receives the end of each call once, on any thread; must not block. */
  @FunctionalInterface
  interface Ending {
    /**
     * The call ended.
     *
     * @param error the failure, in the words of the transport; empty for a success
     */
    void onEnd(String error);
  }

  /** Connects to the listening servers and waits for the connections. */
  void connect() throws IOException;

  /** Begins a call; never blocks for long. */
  void call(byte[] request, Ending ending);

  /** The client's observations besides the ends of calls: of the peer's health, for example. */
  default List<Told> told() {
    return List.of();
  }

  /** The byte counts of each carrier; empty for a client with a single carrier. */
  default List<Carried> carried() {
    return List.of();
  }

  /** An observation of the client at a time. */
  record Told(long atNs, String what) {}

  /**
   * The byte counts of a NIC and driver until now.
   *
   * @param name the name of NIC and driver
   */
  record Carried(String name, long bytesSent, long bytesReceived) {
    /** Formats the counts as one word. */
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
