package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.api.Transport;
import io.millrace.api.bulk.FileOptions;
import io.millrace.samples.served.ServedFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies that cannot end well: the surviving side says so in one line, and no torn file has a name.
 */
@Timeout(120)
class CopyFaultTest {
  private static final long LONGEST_S = 60;

  /** The time between two looks at a directory, in which the copy has the core. */
  private static final long LOOK_AGAIN_NS = 1_000_000;

  private static final long LONG_BYTES = 4L << 30;
  private static final long SOME_BYTES = 1 << 20;

  /** Root with the permissions of a file's owner only: root still finds its class path. */
  private static final List<String> WITHOUT_PRIVILEGES =
      List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search");

  @TempDir static Path shared;
  private static String certificates = "";

  @TempDir Path folder;
  private Path here = Path.of("");
  private Path served = Path.of("");

  @BeforeAll
  static void makeCertificates() {
    certificates = LocalCertificates.in(shared).path();
  }

  @BeforeEach
  void prepare() throws IOException {
    here = Files.createDirectory(folder.resolve("here"));
    served = Files.createDirectory(folder.resolve("served"));
  }

  /**
   * Makes a file that takes no room on the disk, and longer to copy than to notice the beginning of
   * the copy.
   */
  private static Path sparse(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(LONG_BYTES);
    }
    return file;
  }

  private Process process(String... args) throws IOException {
    return builder(List.of(), args).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private ProcessBuilder builder(List<String> prefix, String... args) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(ShortJvm.command());
    command.add(Main.class.getName());
    command.addAll(List.of(args));
    command.addAll(List.of("--certs", certificates));
    return new ProcessBuilder(command);
  }

  private CommandRun copy(String from, String to) {
    return CommandRun.of("cp", from, to, "--certs", certificates, "--no-sync");
  }

  private static void await(BooleanSupplier condition, String what) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_S);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadlineNs, what);
      LockSupport.parkNanos(LOOK_AGAIN_NS);
    }
  }

  /** Returns the bytes of a directory's files that do not have their names yet. */
  private static long hiddenBytes(Path directory) {
    long sum = 0;
    for (Path file : files(directory)) {
      sum += String.valueOf(file.getFileName()).startsWith(".") ? size(file) : 0;
    }
    return sum;
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assumeOrSay(boolean condition, String otherwise) {
    if (!condition) {
      System.err.println("SKIPPED a test of CopyFaultTest: " + otherwise);
    }
    assumeTrue(condition, otherwise);
  }

  private static void assertOneErrorLine(CommandRun run, int exitCode, String part) {
    assertEquals(1, run.err().size(), run.err().toString());
    assertTrue(run.err().getFirst().contains(part), run.err().toString());
    assertEquals(exitCode, run.exitCode());
  }

  @Test
  void shouldTellThatTheReceiverDiedHalfWay() throws Exception {
    Path file = sparse(here.resolve("file"));
    Process node =
        process("serve", "--listen", "127.0.0.1:0", "--dir", served.toString(), "--no-sync");
    try (BufferedReader out = node.inputReader(StandardCharsets.UTF_8)) {
      String address = out.readLine().split(" ", 4)[2];
      CompletableFuture<CommandRun> run =
          CompletableFuture.supplyAsync(() -> copy(file.toString(), address + ":"));
      await(() -> hiddenBytes(served) > SOME_BYTES, "the copy has not begun");

      node.destroyForcibly();

      CommandRun ended = run.get(LONGEST_S, TimeUnit.SECONDS);
      assertOneErrorLine(ended, 1, "PEER_UNRESPONSIVE");
      assertOneErrorLine(ended, 1, address + " is not there: the network refuses its packets");
      assertEquals(1, files(served).size(), files(served).toString());
      assertNotEquals(0, hiddenBytes(served));
    } finally {
      node.destroyForcibly();
    }
    try (NodeInThread next =
        NodeInThread.start("--certs", certificates, "--dir", folder.toString())) {
      await(() -> files(served).isEmpty(), "the next node leaves what the dead one left");
      assertEquals(List.of(file), files(here));
      next.end();
    }
  }

  @Test
  void shouldTellThatTheSenderDiedHalfWayAndLeaveNothing() throws Exception {
    sparse(served.resolve("file"));
    Process node = process("serve", "--listen", "127.0.0.1:0", "--dir", served.toString());
    try (BufferedReader out = node.inputReader(StandardCharsets.UTF_8)) {
      String address = out.readLine().split(" ", 4)[2];
      CompletableFuture<CommandRun> run =
          CompletableFuture.supplyAsync(() -> copy(address + ":file", here.toString()));
      await(() -> hiddenBytes(here) > SOME_BYTES, "the copy has not begun");

      node.destroyForcibly();

      CommandRun ended = run.get(LONGEST_S, TimeUnit.SECONDS);
      assertOneErrorLine(ended, 1, "PEER_UNRESPONSIVE");
      assertOneErrorLine(ended, 1, address + " is not there: the network refuses its packets");
      assertEquals(List.of(), files(here));
    } finally {
      node.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLeaveNothingAtEitherSideWhenASignalStopsItHalfWay(boolean isUpload) throws Exception {
    Path source = isUpload ? here : served;
    Path destination = isUpload ? served : here;
    Path file = sparse(source.resolve("file"));
    Path said = folder.resolve("said");
    try (NodeInThread node =
        NodeInThread.start("--certs", certificates, "--dir", served.toString(), "--no-sync")) {
      String remote = node.address() + ":";
      ProcessBuilder builder =
          isUpload
              ? builder(List.of(), "cp", file.toString(), remote)
              : builder(List.of(), "cp", remote + "file", here.toString(), "--no-sync");
      Process copy = builder.redirectError(said.toFile()).start();
      try {
        await(() -> hiddenBytes(destination) > SOME_BYTES, "the copy has not begun");

        copy.destroy();

        assertTrue(copy.waitFor(LONGEST_S, TimeUnit.SECONDS), "the signal did not end it");
        assertEquals(1, copy.exitValue());
        List<String> lines = Files.readAllLines(said);
        assertEquals(1, lines.size(), lines.toString());
        String end = isUpload ? "the peer keeps no part of the file" : "nothing was left behind";
        assertTrue(lines.getFirst().endsWith("stopped by a signal; " + end), lines.toString());
        if (isUpload) {
          await(() -> files(served).isEmpty(), "the peer keeps a part");
        }
        assertEquals(List.of(), files(destination));
        assertEquals(List.of(file), files(source));
      } finally {
        copy.destroyForcibly();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldEndAtOnceWhenASignalComesBeforeThePeerHasAnswered(boolean isUpload) throws Exception {
    Path file = Files.writeString(here.resolve("file"), "text");
    Path said = folder.resolve("said");
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String remote = "127.0.0.1:" + silent.getLocalPort() + ":file";
      ProcessBuilder builder =
          isUpload
              ? builder(List.of(), "cp", file.toString(), remote)
              : builder(List.of(), "cp", remote, file.toString());
      builder.command().addAll(List.of("--set", "millrace.handshake.timeout=25s"));
      Process copy = builder.redirectError(said.toFile()).start();
      try {
        silent.setSoTimeout((int) TimeUnit.SECONDS.toMillis(LONGEST_S));
        try (Socket called = silent.accept()) {
          called.setSoTimeout((int) TimeUnit.SECONDS.toMillis(LONGEST_S));
          assertTrue(called.getInputStream().read() >= 0, "it said nothing");
          copy.destroy();

          assertTrue(copy.waitFor(LONGEST_S, TimeUnit.SECONDS), "the signal did not end it");
        }
        assertEquals(1, copy.exitValue());
        List<String> lines = Files.readAllLines(said);
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(
            lines.getFirst().endsWith("stopped by a signal; nothing was copied"), lines.toString());
        assertEquals(List.of(file), files(here));
      } finally {
        copy.destroyForcibly();
      }
    }
  }

  @Test
  void shouldGiveTheSendersMemoryBackWhenTheReceiverDies() throws Exception {
    sparse(served.resolve("file"));
    try (Transport node = Transport.start(LocalCertificates.in(shared).settings())) {
      ServedFiles.serve(node, served, FileOptions.DEFAULT);
      Process receiver = process("cp", node.address() + ":file", here.toString(), "--no-sync");
      try {
        await(() -> hiddenBytes(here) > SOME_BYTES, "the copy has not begun");
        receiver.destroyForcibly().waitFor();
        assertNotEquals(0, node.snapshot().buffers().usedBytes(), "nothing was under way");

        await(() -> node.snapshot().buffers().usedBytes() == 0, "memory was not given back");

        Path after = Files.writeString(served.resolve("after"), "text");
        assertEquals(0, copy(node.address() + ":after", here.toString()).exitCode());
        assertEquals(-1, Files.mismatch(after, here.resolve("after")));
        assertEquals(List.of(here.resolve("after")), files(here));
      } finally {
        receiver.destroyForcibly();
      }
    }
  }

  @Test
  void shouldTellOfAFullDiskAtEitherSideAndGoOn() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    assumeOrSay(
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()),
        "only root may mount the small file system that this test fills");
    try {
      Path file = Files.write(here.resolve("file"), new byte[4 << 20]);
      Path fits = Files.writeString(here.resolve("fits"), "text");
      try (NodeInThread node =
          NodeInThread.start("--certs", certificates, "--dir", small.toString())) {
        assertOneErrorLine(
            copy(file.toString(), node.address() + ":file"), 1, "No space left on device");
        assertEquals(List.of(), files(small));
        assertEquals(0, copy(fits.toString(), node.address() + ":fits").exitCode());
        assertEquals(-1, Files.mismatch(fits, small.resolve("fits")));
      }
      try (NodeInThread node =
          NodeInThread.start("--certs", certificates, "--dir", here.toString())) {
        assertOneErrorLine(
            copy(node.address() + ":file", small.toString()), 1, "No space left on device");
        assertEquals(List.of(small.resolve("fits")), files(small));
      }
    } finally {
      assertTrue(run("umount", small.toString()));
    }
  }

  private static boolean run(String... command) throws Exception {
    return run(Stream.of(command));
  }

  private static boolean run(Stream<String> command) throws Exception {
    try {
      ProcessBuilder builder = new ProcessBuilder(command.toList());
      builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      return builder.start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void shouldTellThatAFileHereCannotBeRead() throws IOException {
    Path none = here.resolve("none");
    assertOneErrorLine(
        copy(none.toString(), "127.0.0.1:9:x"), 2, "cannot read " + none + ": no such file");
    assertOneErrorLine(copy(here.toString(), "127.0.0.1:9:x"), 2, "not a regular file");
  }

  @Test
  void shouldTellThatAFileMayNotBeRead() throws Exception {
    Path secret = Files.writeString(served.resolve("secret"), "text");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
    List<String> prefix = Files.isReadable(secret) ? WITHOUT_PRIVILEGES : List.of();
    assumeOrSay(
        prefix.isEmpty() || run(Stream.concat(prefix.stream(), Stream.of("true"))),
        "root may read every file, and setpriv, which lays that right down, is not here");
    Process copying =
        builder(prefix, "cp", secret.toString(), "127.0.0.1:9:x").redirectErrorStream(true).start();
    try (BufferedReader out = copying.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = out.lines().toList();
      assertEquals(1, lines.size(), lines.toString());
      assertTrue(lines.getFirst().contains("cannot read " + secret), lines.toString());
      assertEquals(2, copying.waitFor());
    }
    Process node =
        builder(prefix, "serve", "--listen", "127.0.0.1:0", "--dir", served.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = node.inputReader(StandardCharsets.UTF_8)) {
      String address = out.readLine().split(" ", 4)[2];
      assertOneErrorLine(copy(address + ":secret", here.toString()), 1, "cannot read secret: ");
    } finally {
      node.destroyForcibly();
    }
    assertEquals(List.of(), files(here));
  }
}
