package io.millrace.testkit.sim;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * One run of a scenario: a simulated cluster, the plans for this cluster, the history of its
 * application, and the rules to keep. Virtual time passes only in {@link #runUntil}, {@link
 * #eventually} and {@link #quiesce}. The simulator makes a run for each seed; simulation thread
 * only; ns.
 */
public interface SimRun {
  /** The seed. */
  long seed();

  /** Virtual time, and the events planned for later. */
  VirtualTime simulation();

  /** The choices of this seed for everything that may vary. */
  Swarm swarm();

  /** The requests, executions and outcomes of the application. */
  History history();

  /** Sets the network, before any node is added; the default is a clean network with 50 us. */
  void network(NetworkSettings other);

  /**
   * Sets the fabric over which the workers of all nodes send, before any node is added; without a
   * fabric the workers send datagrams.
   */
  void fabric(FabricSettings settings);

  /** The nodes and the network between them. */
  SimCluster cluster();

  /** A node. */
  SimNode node(int number);

  /** Returns the number of nodes. */
  int nodes();

  /**
   * Adds a node and starts it.
   *
   * @param program the program of this life and all later lives
   */
  SimNode add(NodeSettings node, Program program);

  /** Adds this number of usual nodes with the same program, and starts each node. */
  void add(int count, Program program);

  /** Begins a node's next life; nothing happens when the node is up. */
  void boot(int number);

  /** Ends a node's life at once; nothing happens when the node is down. */
  void crash(int number);

  /**
   * Ends a node's life in order: its program closes everything, callers that wait for a request of
   * this node are told, and nothing may be left. Nothing happens when the node is down or stops
   * already.
   */
  void stop(int number);

  /** Calls {@code listener} with the number of each node whose life ends at once. */
  void onCrash(IntConsumer listener);

  /** Plans faults. */
  Faults faults();

  /**
   * Plans a step of the workload. Steps are numbered in the order of planning. A smaller run may
   * leave out any step, so no step may rely on another.
   *
   * @param words description of the step, for people
   */
  void at(long timeNs, String words, Runnable step);

  /**
   * Plans a step of the workload that a node takes. The step sees the node's clock and random
   * numbers, and waits while the node stands still. The run drops the step if the node is down then
   * or its life ends meanwhile.
   *
   * @param timeNs when, virtual time
   * @param words description of the step, for people
   */
  void at(long timeNs, int node, String words, Runnable step);

  /** Returns the number of steps dropped so far because the node was down. */
  int droppedSteps();

  /**
   * Names events that at least one run of a test must reach. A test of many seeds fails if no run
   * reaches an event: such a test checks less than its code promises. Called in each run, before
   * any {@link #reached}.
   */
  void mustReach(String... what);

  /**
   * Records that an event named by {@link #mustReach} has happened in this run.
   *
   * @throws IllegalArgumentException if the event was not named
   */
  void reached(String what);

  /** Adds a rule to keep. */
  void add(Oracle oracle);

  /**
   * Adds rules that hold for many applications, though not for each correct application: nobody
   * logs an error, and no worker turns for nothing. Called before any node is added.
   */
  void addStrictRules();

  /** Records progress: a caller in {@link #eventually} gets the whole time again. */
  void onProgress();

  /** Breaks a rule. */
  void fail(String rule, String detail);

  /** Breaks a rule by an exception. */
  void fail(String rule, String detail, Throwable cause);

  /** Runs all events until this time. */
  void runUntil(long timeNs);

  /** Ends all faults, of the network too, and starts the nodes that are down. */
  void heal();

  /**
   * Ends all faults, of the network too, and starts the nodes that are down, except for the
   * selected lost nodes. A lost node stays down, or is cut off from all other nodes if up, until
   * {@link #recover}.
   */
  void heal(IntPredicate staysLost);

  /** Brings back the nodes that stayed lost. */
  void recover();

  /**
   * Lets time pass until a condition holds. The time begins again whenever the run makes progress:
   * a message is sent, executed or resolved, or {@link #onProgress} is called.
   *
   * <p>Breaks the rule "liveness" if the condition does not come to hold.
   *
   * @param withinNs how long without progress, at most
   * @param what the condition in words, for people
   */
  void eventually(long withinNs, String what, BooleanSupplier condition);

  /**
   * Lets time pass until a condition holds.
   *
   * <p>Breaks the rule "liveness" if the condition does not come to hold.
   *
   * @param withinNs how long, at most
   */
  void within(long withinNs, String what, BooleanSupplier condition);

  /**
   * Lets time pass until nothing is left of ended calls, bodies and streams. For a moment when the
   * application waits for nothing and its transports are still open.
   *
   * <p>Breaks the rule "nothing left of calls" if a remainder stays.
   *
   * @param withinNs how long, at most
   */
  void awaitIdle(long withinNs);

  /**
   * Lets time pass until the closed transports have no actor left, and the application has no
   * stream left. Called before the actor systems end, because the end of a system ends everything.
   *
   * <p>Breaks the rule "nothing left of transports" if an actor or a stream stays.
   *
   * @param withinNs how long, at most
   */
  void awaitClosed(long withinNs);

  /**
   * Runs all events that are left once the application has closed everything, and asks all rules
   * whether anything remains.
   */
  void quiesce();
}
