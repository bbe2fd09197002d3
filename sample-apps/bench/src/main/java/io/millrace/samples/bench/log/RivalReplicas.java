package io.millrace.samples.bench.log;

import io.millrace.samples.bench.peer.PeerProcess;
import io.millrace.samples.log.bench.ReplicaProcesses;
import io.millrace.samples.process.JavaCommand;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The replicas of another log, each a process of its own on this machine: the parent's side, and
 * the main of such a process. The parent asks {@code leads} and gets the answer true or false.
 */
final class RivalReplicas implements AutoCloseable {
  private static final long START_SECONDS = 120;
  private static final long ANSWER_SECONDS = 30;
  private static final long PAUSE_NS = 100_000_000;

  private final List<PeerProcess> processes = new ArrayList<>();
  private final List<String> addresses;

  private RivalReplicas(List<String> addresses) {
    this.addresses = addresses;
  }

  /**
   * Starts the first replica, then the others at once, and waits until a replica leads.
   *
   * @param main calls {@link #serve} with its arguments
   * @param addressesOfEach the number of addresses of each replica
   */
  static RivalReplicas start(Class<?> main, int count, int addressesOfEach, Path directory)
      throws IOException, InterruptedException {
    RivalReplicas all = new RivalReplicas(ReplicaProcesses.freeAddresses(count * addressesOfEach));
    try {
      all.start(main, directory);
      all.processes.getFirst().await("ready", START_SECONDS);
      while (all.processes.size() < count) {
        all.start(main, directory);
      }
      for (PeerProcess other : all.processes.subList(1, count)) {
        other.await("ready", START_SECONDS);
      }
      all.awaitLeader();
      return all;
    } catch (IOException | InterruptedException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  private void start(Class<?> main, Path directory) throws IOException {
    int self = processes.size();
    List<String> command = JavaCommand.likeThis();
    Path own = Files.createDirectories(directory.resolve("replica-" + self));
    command.addAll(List.of(main.getName(), String.valueOf(self), own.toString()));
    command.addAll(addresses);
    processes.add(PeerProcess.start(main.getSimpleName() + "-" + self, command, own));
  }

  private void awaitLeader() throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    while (leader() < 0) {
      if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(START_SECONDS)) {
        throw new IOException("no replica led within " + START_SECONDS + " s");
      }
      LockSupport.parkNanos(PAUSE_NS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * Returns all addresses: the first of each replica, then the second of each replica, and so on.
   */
  List<String> addresses() {
    return addresses;
  }

  /** Returns the replica that claims to lead; -1 if no replica does. */
  int leader() throws IOException, InterruptedException {
    for (int i = 0; i < processes.size(); i++) {
      if (processes.get(i).ask("leads", "leads", ANSWER_SECONDS).equals("true")) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the process of the leading replica. */
  ProcessHandle leaderProcess() throws IOException, InterruptedException {
    int leader = leader();
    if (leader < 0) {
      throw new IOException("no replica leads");
    }
    long pid = processes.get(leader).pid();
    return ProcessHandle.of(pid).orElseThrow(() -> new IOException("the leader has ended"));
  }

  @Override
  public void close() {
    processes.forEach(PeerProcess::askToEnd);
    processes.forEach(PeerProcess::close);
  }

  /** Ends the client of the replicas, and then all replicas, also if the client fails to end. */
  void closeWith(Closeable client) {
    try (this) {
      client.close();
    } catch (IOException e) {
      return;
    }
  }

  /** A replica in its process; both live equally long. */
  @FunctionalInterface
  interface Replica {
    /** Returns whether the replica leads. */
    boolean leads();
  }

  /** Opens the replica of a process. */
  @FunctionalInterface
  interface Opening {
    /** Opens a replica, with the list of {@link #addresses}. */
    Replica open(int self, Path directory, List<String> addresses) throws Exception;
  }

  /** Runs the main of a replica, until the parent ends its input. */
  static void serve(String[] args, Opening opening) {
    PrintStream toParent = System.out;
    // A library that greets on standard output must not garble the conversation.
    System.setOut(System.err);
    int exitCode = 0;
    List<String> addresses = Arrays.asList(args).subList(2, args.length);
    try {
      Replica replica = opening.open(Integer.parseInt(args[0]), Path.of(args[1]), addresses);
      PeerProcess.say(toParent, "ready");
      BufferedReader questions =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        PeerProcess.say(toParent, line + " " + replica.leads());
      }
    } catch (Exception e) {
      e.printStackTrace(System.err);
      PeerProcess.say(toParent, "failed " + e);
      exitCode = 1;
    }
    // The forced files are removed next: there is nothing to close in good order.
    Runtime.getRuntime().halt(exitCode);
  }

  /** The host of {@code host:port}. */
  static String host(String address) {
    return address.substring(0, address.lastIndexOf(':'));
  }

  /** The port of {@code host:port}. */
  static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** The state of other logs' replicas: a value for each key. One thread uses the state. */
  static final class Values {
    private final Map<ByteBuffer, byte[]> values = new HashMap<>();

    /** Returns an operation that stores a value: the length of the key, the key, the value. */
    static byte[] put(byte[] key, byte[] value) {
      return ByteBuffer.allocate(Integer.BYTES + key.length + value.length)
          .putInt(key.length)
          .put(key)
          .put(value)
          .array();
    }

    /** Performs an operation of {@link #put}. */
    void apply(ByteBuffer operation) {
      byte[] key = new byte[operation.getInt()];
      operation.get(key);
      byte[] value = new byte[operation.remaining()];
      operation.get(value);
      values.put(ByteBuffer.wrap(key), value);
    }

    /** Returns all operations that make this state, in any order. */
    List<byte[]> operations() {
      return values.entrySet().stream().map(e -> put(e.getKey().array(), e.getValue())).toList();
    }

    /** Forgets everything. */
    void clear() {
      values.clear();
    }
  }
}
