package io.millrace.testkit.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster over all its lives: runs a program in its JVM, applies faults to this JVM,
 * and knows how the program ended. Safe on any thread, but commands to a node come from a single
 * thread at a time.
 */
public final class ClusterNode {
  private static final long GONE_MS = 10_000;
  private static final int SIGNAL_EXIT = 128;

  private final String name;
  private final ClusterOptions options;
  private final ClusterLock lock;
  private final MeetingPoint meetings;
  private final List<String> earlierOutput = new ArrayList<>();
  private @Nullable NodeProcess life;
  private @Nullable NodeProgram program;
  private @Nullable StoppedProcess stopped;
  private NodePhase phase = NodePhase.IDLE;
  private boolean isOver;
  private boolean isFailureSeen;
  private boolean isDumping;
  private String result = "";
  private String failure = "";

  ClusterNode(String name, ClusterOptions options, ClusterLock lock, MeetingPoint meetings) {
    this.name = name;
    this.options = options;
    this.lock = lock;
    this.meetings = meetings;
  }

  /** The node's name in the cluster. */
  public String name() {
    return name;
  }

  /** Number of this life, from 1. */
  public int incarnation() {
    return lock.read(() -> life().incarnation());
  }

  /** Process id of this life. */
  public long pid() {
    return lock.read(() -> life().pid());
  }

  /** The phase of this life. */
  NodePhase phase() {
    return lock.read(() -> phase);
  }

  /** Whether the process of this life exists, standing still or not. */
  public boolean isAlive() {
    return lock.read(() -> life != null && life.isAlive());
  }

  /** The last lines of output from all lives, oldest first. */
  public List<String> output() {
    return lock.read(
        () -> {
          List<String> all = new ArrayList<>(earlierOutput);
          if (life != null) {
            all.addAll(life.output());
          }
          return all;
        });
  }

  /** The present state of this node, in words for messages; under the lock. */
  String doing() {
    return switch (phase) {
      case IDLE -> "has no program";
      case RUNNING -> stopped == null ? "running" : "stopped by SIGSTOP";
      case EXITING, ENDED -> "its program has ended";
      case FAILED -> "failed";
      case KILLED -> "killed";
    };
  }

  private NodeProcess life() {
    return Objects.requireNonNull(life, "no JVM");
  }

  /** Starts the process of the next life; {@link #connect} waits for the process. */
  void launch() throws IOException {
    int next = life == null ? 1 : life.incarnation() + 1;
    NodeProcess launched = NodeProcess.launch(options, name, next);
    lock.change(
        () -> {
          if (life != null) {
            earlierOutput.addAll(life.output());
          }
          int excess = Math.max(0, earlierOutput.size() - OutputTail.MOST_LINES);
          earlierOutput.subList(0, excess).clear();
          meetings.onForgotten(name);
          life = launched;
          phase = NodePhase.IDLE;
          isOver = false;
          isFailureSeen = false;
          result = "";
          failure = "";
        });
  }

  void connect(long startNs) throws IOException, InterruptedException {
    try {
      life().connect(new Ears(), startNs, options.limit().toNanos());
    } catch (ClusterException e) {
      lock.change(
          () -> {
            destroy();
            isOver = true;
          });
      String said = String.join("\n", life().output());
      throw new ClusterException(name + ": " + e.getMessage() + "\n" + said, e);
    }
  }

  /**
   * Gives this life its program, the only program of this life.
   *
   * @throws IllegalStateException if this life has a program
   * @throws IllegalArgumentException if the program cannot be sent
   */
  public void run(NodeProgram program) {
    String packed = ShippedProgram.pack(program);
    lock.change(
        () -> {
          if (phase != NodePhase.IDLE) {
            throw new IllegalStateException(name + " cannot run a program: " + doing());
          }
          this.program = program;
          phase = NodePhase.RUNNING;
          life().send(Frame.of(Frame.Kind.RUN, packed));
        });
  }

  /** Waits for the end of this life with the usual limit; see {@link #join(Duration)}. */
  public String join() throws InterruptedException {
    return join(options.limit());
  }

  /**
   * Waits until the program has returned and the JVM has exited.
   *
   * @return the result that the program set by {@link NodeHandle#result}, or nothing
   * @throws ClusterException if the program failed, with its stack trace, was killed, or takes too
   *     long
   */
  public String join(Duration limit) throws InterruptedException {
    if (!lock.await(() -> isOver, limit)) {
      throw new ClusterException(
          name + " has not ended within " + limit.toMillis() + " ms: " + lock.read(this::doing));
    }
    return lock.read(
        () -> {
          if (phase == NodePhase.FAILED) {
            throw seenFailure();
          }
          if (phase == NodePhase.KILLED) {
            throw new ClusterException(name + " was killed");
          }
          return result;
        });
  }

  /**
   * The failure of this life, null without a failure or if a caller was told before; under the
   * lock.
   */
  @Nullable String unseenFailure() {
    return phase == NodePhase.FAILED && !isFailureSeen ? failure : null;
  }

  /** The failure of this life, to be thrown; under the lock. */
  ClusterException seenFailure() {
    isFailureSeen = true;
    return new ClusterException(failure);
  }

  /** Whether this life is over; under the lock. */
  boolean isOver() {
    return isOver;
  }

  /** Whether this life has, or had, a program; under the lock. */
  boolean hasProgram() {
    return phase != NodePhase.IDLE;
  }

  /** Asks the JVM for the stacks of its threads, unless the JVM cannot answer; under the lock. */
  void requestDump() {
    isDumping = !isOver && stopped == null;
    if (isDumping) {
      life().send(Frame.of(Frame.Kind.DUMP, ""));
    }
  }

  /** Whether the JVM still owes the stacks of its threads; under the lock. */
  boolean isDumping() {
    return isDumping && !isOver;
  }

  /** Asks the program to end, see {@link NodeHandle#awaitStop}, and waits for the end. */
  public String stop() throws InterruptedException {
    life().send(Frame.of(Frame.Kind.STOP, ""));
    return join();
  }

  /**
   * Kills the process by SIGKILL, and waits until the process is gone. The cluster forgets the
   * values that this life published.
   */
  public void kill() throws InterruptedException {
    lock.change(this::destroy);
    if (!lock.await(() -> isOver, Duration.ofMillis(GONE_MS))) {
      throw new ClusterException(name + " is still there after SIGKILL");
    }
  }

  /** Ends the process, whatever the process does; idempotent; under the lock. */
  void destroy() {
    if (!isOver && phase != NodePhase.FAILED) {
      phase = NodePhase.KILLED;
      meetings.onForgotten(name);
    }
    StoppedProcess held = stopped;
    stopped = null;
    if (held != null) {
      held.abandon();
    }
    if (life != null) {
      life.kill();
    }
  }

  /** Waits until the process is gone, some seconds at most; false if the process is still there. */
  boolean awaitGone() throws InterruptedException {
    return life == null || life.awaitGone(GONE_MS);
  }

  /** Starts the same program in a new JVM, the next incarnation; kills this life if alive. */
  public void restart() throws IOException, InterruptedException {
    restart(Objects.requireNonNull(program, "it had no program"));
  }

  /** Starts another program in a new JVM, the next incarnation; kills this life if alive. */
  public void restart(NodeProgram next) throws IOException, InterruptedException {
    kill();
    if (lock.read(this::unseenFailure) != null) {
      throw lock.read(this::seenFailure);
    }
    launch();
    connect(System.nanoTime());
    run(next);
  }

  /**
   * Stops the process by SIGSTOP; on return none of its threads runs.
   *
   * @throws ClusterException if the process cannot be stopped
   */
  public void pause() throws IOException {
    lock.change(
        () -> {
          if (stopped != null || isOver) {
            throw new IllegalStateException(name + " cannot be stopped: " + doing());
          }
        });
    StoppedProcess held = StoppedProcess.hold(pid());
    lock.change(() -> stopped = held);
  }

  /** Lets a stopped process run on, by SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    StoppedProcess held = lock.read(() -> stopped);
    if (held == null) {
      throw new IllegalStateException(name + " is not stopped");
    }
    held.release();
    lock.change(() -> stopped = null);
  }

  @Override
  public String toString() {
    return name + " (" + lock.read(this::doing) + ")";
  }

  /** Hears the messages of the present life; on that life's thread. */
  private final class Ears implements NodeProcess.Listener {
    @Override
    public void onFrame(NodeProcess from, Frame frame) {
      lock.change(
          () -> {
            if (from != life || phase == NodePhase.KILLED) {
              return;
            }
            switch (frame.kind()) {
              case ENDED -> {
                phase = NodePhase.EXITING;
                result = frame.value();
                meetings.onEnd(name);
              }
              case FAILED -> fail("failed: " + frame.value());
              case DUMPED -> isDumping = false;
              default -> meetings.onQuestion(name, frame, from::send);
            }
          });
    }

    @Override
    public void onExit(NodeProcess from, int exitCode) {
      lock.change(
          () -> {
            if (from != life) {
              return;
            }
            if (phase == NodePhase.EXITING && exitCode == 0) {
              phase = NodePhase.ENDED;
            } else if (phase != NodePhase.FAILED && phase != NodePhase.KILLED) {
              fail("ended by itself: " + code(exitCode));
            }
            isOver = true;
          });
    }

    private void fail(String how) {
      phase = NodePhase.FAILED;
      failure = name + " (incarnation " + incarnation() + ", process " + pid() + ") " + how;
      meetings.onFailed(name, how.lines().findFirst().orElse(how));
    }

    private static String code(int exitCode) {
      return exitCode > SIGNAL_EXIT
          ? "signal " + (exitCode - SIGNAL_EXIT)
          : "exit code " + exitCode;
    }
  }
}
