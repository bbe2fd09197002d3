package io.millrace.samples.bench.burst.link;

import io.millrace.samples.process.Shell;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the counters of the token bucket every so often. A single long-lived {@code tc} takes the
 * commands on standard input, because a new process for each sample would take more processor time
 * than a burst leaves.
 */
public final class QueueSampler implements AutoCloseable {
  private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Process tc;
  private final BufferedWriter questions;
  private final BufferedReader answers;
  private final String question;
  private final List<QueueSample> samples = new ArrayList<>();
  private final Thread thread;
  private volatile boolean isEnding;

  private QueueSampler(Process tc, String device) {
    this.tc = tc;
    question = "qdisc show dev " + device + "\n";
    questions =
        new BufferedWriter(new OutputStreamWriter(tc.getOutputStream(), StandardCharsets.UTF_8));
    answers =
        new BufferedReader(new InputStreamReader(tc.getInputStream(), StandardCharsets.UTF_8));
    thread = Thread.ofPlatform().daemon().name("burst-queue").unstarted(this::sampleUntilEnd);
  }

  /** Starts to sample a device of a namespace. */
  public static QueueSampler start(String namespace, String device) throws IOException {
    Process tc =
        new ProcessBuilder(Shell.words("tc -n " + namespace + " -s -j -b -"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    QueueSampler sampler = new QueueSampler(tc, device);
    sampler.sample();
    sampler.thread.start();
    return sampler;
  }

  /** The newest sample. */
  public QueueSample last() {
    synchronized (samples) {
      return samples.getLast();
    }
  }

  /** Takes a last sample and ends the sampling. */
  public List<QueueSample> finish() throws IOException, InterruptedException {
    isEnding = true;
    thread.join();
    sample();
    return samples;
  }

  private void sampleUntilEnd() {
    try {
      while (!isEnding) {
        LockSupport.parkNanos(PERIOD_NS);
        sample();
      }
    } catch (IOException e) {
      System.err.println("burst: tc ended: " + e.getMessage());
    }
  }

  private void sample() throws IOException {
    questions.write(question);
    questions.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("tc gave no answer");
    }
    synchronized (samples) {
      samples.add(QueueSample.parse(System.nanoTime(), answer));
    }
  }

  @Override
  public void close() {
    tc.destroy();
  }
}
