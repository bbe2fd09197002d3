package io.millrace.samples.bench.peer;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The parent's handle of a child process: commands in, answers out, the child's log in a file. */
public final class PeerProcess implements AutoCloseable {
  private static final long CLOSE_SECONDS = 3;
  private static final int LOG_LINES_SHOWN = 20;
  private static final String END = "";

  /** The first characters of every line for the parent. */
  private static final String MARK = "@bench ";

  /** The first word of a line about a child's progress, which is no answer. */
  public static final String PROGRESS = "progress ";

  private final String name;
  private final Process process;
  private final Path log;
  private final BufferedWriter commands;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private volatile Progress progress = new Progress(0, "starting");

  /**
   * The progress of a child.
   *
   * @param done the number of finished steps
   * @param phase the present activity, for messages
   */
  public record Progress(int done, String phase) {
    private static Progress parse(String line) {
      String[] words = line.split(" ", 3);
      return new Progress(Integer.parseInt(words[1]), words[2]);
    }
  }

  private PeerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  /** In a child: writes a line for the {@link PeerProcess} of the parent. */
  public static void say(PrintStream toParent, String line) {
    toParent.println(MARK + line);
    toParent.flush();
  }

  /** Starts a child with its log in {@code directory}. */
  public static PeerProcess start(String name, List<String> command, Path directory)
      throws IOException {
    Path log = directory.resolve("log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    PeerProcess child = new PeerProcess(name, process, log);
    Thread.ofPlatform().daemon().name("bench-" + name).start(child::readAnswers);
    return child;
  }

  /** Sends a command and returns the answer, without the first word {@code expected}. */
  public String ask(String command, String expected, long timeoutSeconds)
      throws IOException, InterruptedException {
    tell(command);
    return await(expected, timeoutSeconds);
  }

  /** Sends a command; the caller awaits the answer. */
  public void tell(String command) throws IOException {
    progress = new Progress(0, "answering '" + command.split(" ", 2)[0] + "'");
    commands.write(command);
    commands.newLine();
    commands.flush();
  }

  /** Waits for an answer that starts with {@code expected} and returns the rest of the answer. */
  public String await(String expected, long timeoutSeconds)
      throws IOException, InterruptedException {
    String answer = poll(expected, TimeUnit.SECONDS.toMillis(timeoutSeconds));
    if (answer == null) {
      throw noAnswer(timeoutSeconds);
    }
    return answer;
  }

  /** Like {@link #await}, but returns null without an answer in {@code timeoutMs}. */
  public @Nullable String poll(String expected, long timeoutMs)
      throws IOException, InterruptedException {
    String answer = answers.poll(timeoutMs, TimeUnit.MILLISECONDS);
    if (answer == null) {
      return null;
    }
    if (answer.equals(expected)) {
      return "";
    }
    if (!answer.startsWith(expected + " ")) {
      String what = answer.equals(END) ? "ended" : "answered: " + answer;
      throw failure(what);
    }
    return answer.substring(expected.length() + 1);
  }

  /**
   * The failure of too long a wait; the message names the child and the child's present activity.
   */
  public IOException noAnswer(long waitedSeconds) {
    return failure("gave no answer within " + waitedSeconds + " s");
  }

  private IOException failure(String what) {
    return new IOException(name + " " + what + ", while " + progress.phase() + logTail());
  }

  /** The name of the child in messages. */
  public String name() {
    return name;
  }

  /** The progress of the child. */
  public Progress progress() {
    return progress;
  }

  /** The operating system's id of the child. */
  public long pid() {
    return process.pid();
  }

  /** Asks this child to end, by end of input, without waiting for the end. */
  public void askToEnd() {
    try {
      commands.close();
    } catch (IOException e) {
      // the child is gone already
    }
  }

  /** Ends this child and no other process: by end of input, and after a while by force. */
  @Override
  public void close() {
    askToEnd();
    try {
      if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        // The child's files may be removed next: the child must not write any more.
        boolean _ = process.destroyForcibly().waitFor(CLOSE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void readAnswers() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(MARK + PROGRESS)) {
          progress = Progress.parse(line.substring(MARK.length()));
        } else if (line.startsWith(MARK)) {
          answers.add(line.substring(MARK.length()));
        }
      }
    } catch (IOException e) {
      // the child ended; a waiting caller gets the news below
    } finally {
      answers.add(END);
    }
  }

  private String logTail() {
    try {
      List<String> lines = Files.readAllLines(log);
      int from = Math.max(0, lines.size() - LOG_LINES_SHOWN);
      return lines.isEmpty()
          ? ""
          : System.lineSeparator()
              + String.join(System.lineSeparator(), lines.subList(from, lines.size()));
    } catch (IOException e) {
      return "";
    }
  }
}
