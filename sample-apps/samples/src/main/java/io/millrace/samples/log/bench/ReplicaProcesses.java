package io.millrace.samples.log.bench;

import io.millrace.samples.process.JavaCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Replicas in processes of their own on this machine, each with a directory. */
public final class ReplicaProcesses implements AutoCloseable {
  private static final long END_SECONDS = 5;

  private final List<String> members;
  private final List<String> cluster;
  private final Path directory;
  private final List<String> more;
  private final List<Process> processes = new ArrayList<>();

  private ReplicaProcesses(int count, Path directory, List<String> more) throws IOException {
    this.directory = directory;
    this.more = List.copyOf(more);
    List<String> free = freeAddresses(2 * count);
    members = free.subList(0, count);
    cluster = free.subList(count, 2 * count);
  }

  /**
   * Starts this number of replicas.
   *
   * @param main the class whose {@code main} is the command line
   * @param more further arguments of each replica
   */
  public static ReplicaProcesses start(int count, Path directory, String main, List<String> more)
      throws IOException {
    ReplicaProcesses all = new ReplicaProcesses(count, directory, more);
    try {
      for (int i = 0; i < count; i++) {
        all.processes.add(all.start(i, main));
      }
      return all;
    } catch (IOException e) {
      all.close();
      throw e;
    }
  }

  private Process start(int self, String main) throws IOException {
    List<String> command = JavaCommand.likeThis();
    command.add(main);
    Path own = Files.createDirectories(directory.resolve("replica-" + self));
    command.addAll(List.of("log", "serve", "--id", String.valueOf(self)));
    command.addAll(List.of("--members", String.join(",", members)));
    command.addAll(List.of("--cluster", String.join(",", cluster)));
    command.addAll(List.of("--dir", own.resolve("journal").toString()));
    command.addAll(more);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(own.resolve("output").toFile())
        .start();
  }

  /** Returns the handshake addresses of the replicas. */
  public List<String> members() {
    return List.copyOf(members);
  }

  /** Returns the process of a replica. */
  ProcessHandle process(int replica) {
    return processes.get(replica).toHandle();
  }

  /** Ends a replica at once, as a crash does. */
  public void kill(int replica) throws InterruptedException {
    processes.get(replica).destroyForcibly().waitFor();
  }

  /**
   * Stops a replica for a while, as a machine that swaps does; {@link #resume} lets the replica go
   * on.
   */
  public void pause(int replica) throws IOException, InterruptedException {
    signal(replica, "-STOP");
  }

  /** Lets a stopped replica go on. */
  public void resume(int replica) throws IOException, InterruptedException {
    signal(replica, "-CONT");
  }

  private void signal(int replica, String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", name, String.valueOf(processes.get(replica).pid()))
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("kill " + name + " ended with " + code);
    }
  }

  /** Starts a killed replica again. */
  public void restart(int replica, String main) throws IOException {
    processes.set(replica, start(replica, main));
  }

  @Override
  public void close() {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      try {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
          boolean _ = process.destroyForcibly().waitFor(END_SECONDS, TimeUnit.SECONDS);
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns addresses of this machine with ports that are free now. */
  public static List<String> freeAddresses(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        sockets.add(socket);
        addresses.add("127.0.0.1:" + socket.getLocalPort());
      }
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
    return addresses;
  }
}
