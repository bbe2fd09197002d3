package io.millrace.samples.bench.peer;

import java.util.List;

/**
 * A transport under comparison, with the best settings for one core on each side.
 *
 * <p>The parent process only reads the descriptions. Servers and clients are opened in processes of
 * their own, where all threads are pinned to one core.
 */
public interface BenchPeer {
  /** The name of Millrace itself, which takes part in every run. */
  String MILLRACE = "millrace";

  /** The name in the report and in {@code --against}. */
  String name();

  /**
   * The family of this variant, or the peer's own name. In each workload the best variant stands
   * for the family.
   */
  default String family() {
    return name();
  }

  /** The important settings and the reasons for each value, as text for the report. */
  String settings();

  /** The threads of each side and the work of each thread, as text for the report. */
  String threads();

  /** The thread on which the completion of a call runs. */
  Completion completion();

  /** The name that the parent passes to the peer's processes. */
  default String nameInProcess() {
    return name();
  }

  /** The class path of the peer's processes. */
  default String classPath() {
    return System.getProperty("java.class.path");
  }

  /** The message for a failure of the peer's processes before any work. */
  default String ofFailure(String message) {
    return message;
  }

  /** JVM flags for this peer besides the flags for all processes. */
  default List<String> jvmFlags() {
    return List.of();
  }

  /** Whether the peer takes part in {@code workload}. */
  default boolean runs(Workload workload) {
    return true;
  }

  /** Opens a server in this process; the server must be quiet while the gate is closed. */
  BenchServer openServer(PeerSite site) throws Exception;

  /** Opens a client of the server at {@code address}; quiet while the gate is closed. */
  BenchClient openClient(PeerSite site, String address) throws Exception;

  /** The thread on which the completion of a call runs. */
  enum Completion {
    /** On the thread that reads from the network. */
    INLINE,
    /** On a thread of an executor. */
    EXECUTOR
  }
}
