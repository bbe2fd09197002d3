package io.millrace.testkit.sim;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * One run of a scenario: a simulated cluster, what is planned for it, the record of what its
 * application did, and the rules that it must keep. Virtual time passes only in {@link #runUntil},
 * {@link #eventually} and {@link #quiesce}. The simulator makes one for each seed; simulation
 * thread only; ns.
 */
public interface SimRun {
  /** The seed. */
  long seed();

  /** Virtual time, and what is to happen later. */
  VirtualTime simulation();

  /** What this seed has of everything that may vary. */
  Swarm swarm();

  /** What the application did and was told. */
  History history();

  /** How the network is, to be said before any node is added; clean with 50 us if it is not. */
  void network(NetworkSettings other);

  /**
   * How the fabric is over which the workers of all nodes send, to be said before any node is
   * added; they send datagrams if it is not.
   */
  void fabric(FabricSettings settings);

  /** The nodes and the network between them. */
  SimCluster cluster();

  /** A node. */
  SimNode node(int number);

  /** How many nodes there are. */
  int nodes();

  /**
   * Adds a node and starts it.
   *
   * @param program what it runs in this life and all later ones
   */
  SimNode add(NodeSettings node, Program program);

  /** Adds so many usual nodes that run the same program, and starts them. */
  void add(int count, Program program);

  /** Begins a node's next life; nothing happens when it is up. */
  void boot(int number);

  /** Ends a node's life at once; nothing happens when it is down. */
  void crash(int number);

  /**
   * Ends a node's life in order: its program closes everything, whoever waits for something that it
   * asked for is told, and nothing may be left. Nothing happens when it is down or stops already.
   */
  void stop(int number);

  /** Calls {@code listener} with the number of each node whose life ends at once. */
  void onCrash(IntConsumer listener);

  /** Plans faults. */
  Faults faults();

  /**
   * Plans a step of the workload. Steps are numbered in the order of planning and may be left out
   * when a run is made smaller, so none may rely on another.
   *
   * @param words what it does, for people
   */
  void at(long timeNs, String words, Runnable step);

  /**
   * Plans a step of the workload that a node takes: it sees the node's clock and random numbers,
   * waits while the node stands still, and is dropped if the node is down then or its life ends
   * meanwhile.
   *
   * @param timeNs when, virtual time
   * @param words what it does, for people
   */
  void at(long timeNs, int node, String words, Runnable step);

  /** How many steps of nodes were dropped so far, since their node was down. */
  int droppedSteps();

  /**
   * A test of many seeds fails if none of its runs reaches this: then it tests less than it says.
   * To be said in each run, before any {@link #reached}.
   */
  void mustReach(String... what);

  /**
   * What {@link #mustReach} named has happened in this run.
   *
   * @throws IllegalArgumentException if it was not named
   */
  void reached(String what);

  /** Adds a rule to keep. */
  void add(Oracle oracle);

  /**
   * More rules, which hold for many applications and not for each right one: nobody logs an error,
   * and no worker turns for nothing. To be called before any node is added.
   */
  void addStrictRules();

  /** Something got done: whoever waits in {@link #eventually} is given the whole time again. */
  void onProgress();

  /** Breaks a rule. */
  void fail(String rule, String detail);

  /** Breaks a rule by an exception. */
  void fail(String rule, String detail, Throwable cause);

  /** Lets everything happen until this time. */
  void runUntil(long timeNs);

  /** Ends all faults, of the network too, and starts the nodes that are down. */
  void heal();

  /**
   * Ends all faults, of the network too, and starts the nodes that are down, except for those that
   * stay lost: these stay down, or are cut off from all others if they are up, until {@link
   * #recover}.
   */
  void heal(IntPredicate staysLost);

  /** The nodes that stayed lost come back. */
  void recover();

  /**
   * Lets time pass until something is so. The time begins again whenever there is progress:
   * something is sent, executed or resolved, or {@link #onProgress} is called.
   *
   * <p>Breaks the rule "liveness" if it does not become so.
   *
   * @param withinNs how long without progress, at most
   * @param what for people
   */
  void eventually(long withinNs, String what, BooleanSupplier condition);

  /**
   * Lets time pass until something is so.
   *
   * <p>Breaks the rule "liveness" if it does not become so.
   *
   * @param withinNs how long, at most
   */
  void within(long withinNs, String what, BooleanSupplier condition);

  /**
   * Lets time pass until nothing is left of calls, bodies and streams that have ended; for when the
   * application waits for nothing and its transports are still open.
   *
   * <p>Breaks the rule "nothing left of calls" if something stays.
   *
   * @param withinNs how long, at most
   */
  void awaitIdle(long withinNs);

  /**
   * Lets time pass until the transports, which were closed, have no actor left, and the application
   * no stream; before the actor systems are ended, with which all would go.
   *
   * <p>Breaks the rule "nothing left of transports" if one stays.
   *
   * @param withinNs how long, at most
   */
  void awaitClosed(long withinNs);

  /**
   * Lets everything happen that is still to happen, once the application has closed everything, and
   * asks all rules whether nothing is left.
   */
  void quiesce();
}
