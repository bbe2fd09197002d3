package io.millrace.samples.jmh;

import io.millrace.ends.ExecutorLane;
import io.millrace.ends.Submission;
import io.millrace.ends.SubmissionRings;
import io.millrace.ends.WaitingRoom;
import io.millrace.transfer.CallOutcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Submission by 1, 2, 4 and 8 threads to one worker and to two workers, whose threads take the
 * submissions and tell the submitter. A submitter has at most 64 submissions under way. With
 * completions, each submission has a place in the executor's lane, as the call of a future has.
 */
@State(Scope.Benchmark)
public class SubmitBench {
  private static final int DEPTH = 1_024;
  private static final int UNDER_WAY = 64;
  private static final int DRAINED = 256;
  private static final int COMPLETIONS = 65_536;
  private static final VarHandle FREE;

  static {
    try {
      FREE = MethodHandles.lookup().findVarHandle(Token.class, "isFree", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Workers; submitters take turns with the workers. */
  @Param({"1", "2"})
  public int workers;

  private final ExecutorLane lane = new ExecutorLane(Runnable::run, COMPLETIONS, 1);
  private final List<Thread> threads = new ArrayList<>();
  private SubmissionRings[] rings = {};
  private volatile boolean isClosed;

  /** A submission, used again and again. */
  private static final class Token implements Submission {
    @SuppressWarnings("UnusedVariable") // FREE reads the field
    private boolean isFree = true;

    @Override
    public int priority() {
      return 3;
    }

    @Override
    public long loadBytes() {
      return 32;
    }

    @Override
    public void onTaken(long nowNs) {
      FREE.setRelease(this, true);
    }

    @Override
    public void onRefused(CallOutcome outcome, String text) {
      throw new IllegalStateException(text);
    }
  }

  /** A submitting thread. */
  @State(Scope.Thread)
  public static class Submitter {
    private final Token[] tokens = new Token[UNDER_WAY];
    private int next;
    private int number;

    /** Makes the submissions. */
    @Setup(Level.Trial)
    public void open(ThreadParams thread) {
      number = thread.getThreadIndex();
      for (int i = 0; i < UNDER_WAY; i++) {
        tokens[i] = new Token();
      }
    }

    private Token take() {
      Token token = tokens[next++ % UNDER_WAY];
      while (!(boolean) FREE.getAcquire(token)) {
        Thread.yield();
      }
      FREE.set(token, false);
      return token;
    }
  }

  /** Starts the workers. */
  @Setup(Level.Trial)
  public void open() {
    isClosed = false;
    rings = new SubmissionRings[workers];
    for (int worker = 0; worker < workers; worker++) {
      SubmissionRings own = new SubmissionRings(DEPTH, new WaitingRoom(COMPLETIONS), () -> {});
      rings[worker] = own;
      threads.add(Thread.ofPlatform().daemon().start(() -> drain(own)));
    }
  }

  private void drain(SubmissionRings own) {
    while (!isClosed) {
      if (own.drain(DRAINED, 0, fault -> {}) == 0) {
        Thread.yield();
      }
    }
  }

  /** Ends the workers. */
  @TearDown(Level.Trial)
  public void close() throws InterruptedException {
    isClosed = true;
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
  }

  /** One submitter. */
  @Benchmark
  @Threads(1)
  public void submit1(Submitter submitter) {
    submit(submitter);
  }

  /** Two submitters. */
  @Benchmark
  @Threads(2)
  public void submit2(Submitter submitter) {
    submit(submitter);
  }

  /** Four submitters. */
  @Benchmark
  @Threads(4)
  public void submit4(Submitter submitter) {
    submit(submitter);
  }

  /** Eight submitters. */
  @Benchmark
  @Threads(8)
  public void submit8(Submitter submitter) {
    submit(submitter);
  }

  private void submit(Submitter submitter) {
    rings[submitter.number % workers].submit(submitter.take());
  }

  /** A place of a completion, taken and given back, by one thread. */
  @Benchmark
  @Threads(1)
  public boolean place1() {
    return place();
  }

  /** The same by two threads. */
  @Benchmark
  @Threads(2)
  public boolean place2() {
    return place();
  }

  /** The same by eight threads. */
  @Benchmark
  @Threads(8)
  public boolean place8() {
    return place();
  }

  private boolean place() {
    boolean isTaken = lane.reserve();
    lane.unreserve();
    return isTaken;
  }
}
