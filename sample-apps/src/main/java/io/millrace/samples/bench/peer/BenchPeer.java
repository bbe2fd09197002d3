package io.millrace.samples.bench.peer;

import java.util.List;

/**
 * A transport under comparison, with the settings that suit it best when each side has one core.
 *
 * <p>The parent asks only for the descriptions. Servers and clients are opened in processes of
 * their own, where all threads are pinned to one core.
 */
public interface BenchPeer {
  /** The name of Millrace itself, which takes part in every run. */
  String MILLRACE = "millrace";

  /** The name in the report and in {@code --against}. */
  String name();

  /**
   * The peer that this is a variant of, or its own name. Of several variants the best one of each
   * workload stands for the family.
   */
  default String family() {
    return name();
  }

  /** The settings that matter and why they are its best, as text for the report. */
  String settings();

  /** Which threads each side has and what they do, as text for the report. */
  String threads();

  /** Where the completion of a call runs. */
  Completion completion();

  /** What its processes are asked to be. */
  default String nameInProcess() {
    return name();
  }

  /** Where its processes have their classes from. */
  default String classPath() {
    return System.getProperty("java.class.path");
  }

  /** What to say when its processes fail before they did any work. */
  default String ofFailure(String message) {
    return message;
  }

  /** JVM flags this peer wants besides those that all processes get. */
  default List<String> jvmFlags() {
    return List.of();
  }

  /** Whether it takes part in {@code workload}. */
  default boolean runs(Workload workload) {
    return true;
  }

  /** Opens a server in this process; it must be quiet while the gate is closed. */
  BenchServer openServer(PeerSite site) throws Exception;

  /** Opens a client of the server at {@code address}; quiet while the gate is closed. */
  BenchClient openClient(PeerSite site, String address) throws Exception;

  /** Where the completion of a call runs. */
  enum Completion {
    /** On the thread that reads the network. */
    INLINE,
    /** On a thread of an executor. */
    EXECUTOR
  }
}
