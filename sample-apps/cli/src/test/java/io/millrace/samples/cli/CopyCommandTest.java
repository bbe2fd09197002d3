package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.samples.file.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CopyCommandTest {
  @TempDir static Path shared;
  private static Path served = Path.of("");
  private static String certificates = "";
  private static NodeInThread node;

  @TempDir Path folder;
  private Path here = Path.of("");

  @BeforeAll
  static void start() throws IOException {
    served = Files.createDirectory(shared.resolve("served"));
    certificates = LocalCertificates.in(shared).path();
    node = NodeInThread.start("--certs", certificates, "--dir", served.toString(), "--no-sync");
  }

  @AfterAll
  static void end() {
    node.close();
  }

  @BeforeEach
  void prepare() throws IOException {
    here = Files.createDirectory(folder.resolve("here"));
  }

  @AfterEach
  void empty() throws IOException {
    for (String name : names(served)) {
      Files.delete(served.resolve(name));
    }
  }

  private static String peer() {
    return node.address();
  }

  private CommandRun copy(String from, String to, String... options) {
    List<String> args = new ArrayList<>(List.of("cp", from, to, "--certs", certificates));
    args.addAll(List.of(options));
    return CommandRun.of(args);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return bytes;
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  private static void assertOneErrorLine(CommandRun run, int exitCode, String part) {
    assertEquals(1, run.err().size(), run.err().toString());
    assertTrue(run.err().getFirst().contains(part), run.err().toString());
    assertEquals(exitCode, run.exitCode());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 3_000_001})
  void shouldCopyThereAndBack(int length) throws IOException {
    byte[] bytes = random(length);
    Path file = Files.write(here.resolve("a.bin"), bytes);
    String sha256 = HexFormat.of().formatHex(Sha256.begin().digest(bytes));

    CommandRun there = copy(file.toString(), peer() + ":", "--json", "--checksum");

    assertEquals(0, there.exitCode(), there.err().toString());
    assertEquals(List.of(), there.err());
    assertArrayEquals(bytes, Files.readAllBytes(served.resolve("a.bin")));
    JsonNode report = there.json();
    assertFalse(report.has("verified"), "a constant says nothing");
    assertEquals(length, report.path("bytes").asLong());
    assertEquals(sha256, report.path("sha256").asText());
    assertTrue(report.path("seconds").asDouble() > 0);
    assertEquals(
        length / report.path("seconds").asDouble(), report.path("bytes_per_s").asDouble(), 1);

    CommandRun back = copy(peer() + ":a.bin", here.resolve("b.bin").toString(), "--checksum");

    assertEquals(0, back.exitCode(), back.err().toString());
    JsonNode sender = report.at("/node/workers/0");
    assertEquals(0, sender.path("tokens_granted").asLong(-1));
    assertEquals(0, sender.path("body_bytes_received").asLong(-1));
    assertEquals(0, sender.path("records_repeated").asLong(-1));
    assertTrue(sender.path("chunk_bytes_retransmitted").isIntegralNumber());
    assertArrayEquals(bytes, Files.readAllBytes(here.resolve("b.bin")));
    assertTrue(back.out().getFirst().endsWith("/s, verified"), back.out().toString());
    assertEquals("SHA-256 " + sha256, back.out().getLast());
    assertEquals(List.of("a.bin", "b.bin"), names(here));
    assertEquals(List.of("a.bin"), names(served));
  }

  @Test
  void shouldTellTheRatesThatBoundACopy() throws IOException {
    Path file = Files.write(here.resolve("a.bin"), random(3_000_001));

    JsonNode there = copy(file.toString(), peer() + ":", "--json", "--rates").json();
    CommandRun back = copy(peer() + ":a.bin", here.resolve("b.bin").toString(), "--rates");

    JsonNode rates = there.path("rates");
    assertTrue(rates.path("device_bytes_per_s").asDouble() > 0, there.toString());
    assertTrue(rates.path("memory_bytes_per_s").asDouble() > 0, there.toString());
    double share = rates.path("file_share").asDouble(-1);
    assertTrue(share > 0 && share <= 1, there.toString());
    assertEquals(0, back.exitCode(), back.err().toString());
    assertTrue(back.out().get(1).startsWith("file here alone "), back.out().toString());
    assertEquals(List.of("a.bin", "b.bin"), names(here));
    assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(here.resolve("b.bin")));
  }

  @ParameterizedTest
  @CsvSource({
    "400, 500, 400, 0.1, CONNECTION",
    "500, 100, 90, 0.1, FILE_HERE",
    "500, 200, 100, 0.6, FILE_HERE",
    "500, 200, 100, 0.4, PEER",
  })
  void shouldNameTheStageThatHeldACopy(
      double memory,
      double device,
      double copied,
      double fileShare,
      FileCopy.Bounds.Holder holder) {
    assertEquals(holder, new FileCopy.Bounds(device, memory).holder(copied, fileShare));
  }

  @Test
  void shouldReplaceAFileWithTheWholeOne() throws IOException {
    Files.writeString(served.resolve("a"), "old and longer");
    Path file = Files.writeString(here.resolve("a"), "new");
    assertEquals(0, copy(file.toString(), peer() + ":a").exitCode());
    assertEquals("new", Files.readString(served.resolve("a")));
  }

  @ParameterizedTest
  @CsvSource({
    "../a, contains \"..\"",
    "/etc/passwd, is not relative",
    "link/a, leaves the directory by a link",
  })
  void shouldNotWriteOutsideTheServedDirectory(String name, String why) throws IOException {
    Files.createSymbolicLink(served.resolve("link"), here);
    Path file = Files.writeString(here.resolve("file"), "text");

    assertOneErrorLine(copy(file.toString(), peer() + ":" + name), 1, why);

    assertEquals(List.of("file"), names(here));
    assertEquals(List.of("link"), names(served));
    assertFalse(Files.exists(shared.resolve("a")));
  }

  @ParameterizedTest
  @CsvSource({
    "../certs, contains \"..\"",
    "none, does not exist",
    "sub, is not a regular file",
  })
  void shouldNotReadWhatIsNotServed(String name, String why) throws IOException {
    Files.createDirectory(served.resolve("sub"));
    CommandRun run = copy(peer() + ":" + name, here.resolve("x").toString());
    assertOneErrorLine(run, 1, why);
    assertOneErrorLine(run, 1, "REFUSED");
    assertEquals(List.of(), names(here));
  }

  @Test
  void shouldTellThatAFileHereCannotBeWritten() throws IOException {
    Files.writeString(served.resolve("a"), "text");
    Path file = here.resolve("none").resolve("a");
    assertOneErrorLine(copy(peer() + ":a", file.toString()), 2, "cannot write " + file);
  }

  /** Nobody listens there: the command finds the problem before asking a peer. */
  @Test
  void shouldTellWhatMustNotBeReplacedHereBeforeThePeerIsAsked() throws Exception {
    Path pipe = here.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertOneErrorLine(
        copy("127.0.0.1:9:a", pipe.toString()),
        2,
        "cannot write " + pipe + ": it is a device, a pipe or a socket");
    assertEquals(List.of("pipe"), names(here));
  }

  @Test
  void shouldNotReplaceWhatIsNoFileInTheServedDirectory() throws Exception {
    Path pipe = served.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Path file = Files.writeString(here.resolve("file"), "text");
    CommandRun run = copy(file.toString(), peer() + ":pipe");
    assertOneErrorLine(run, 1, "\"pipe\" is a device, a pipe or a socket");
    assertOneErrorLine(run, 1, "REFUSED");
    assertEquals(List.of("pipe"), names(served));
  }

  @Test
  void shouldTellThatAPeerServesNoFiles() throws IOException {
    Path file = Files.writeString(here.resolve("a"), "text");
    try (NodeInThread without = NodeInThread.start("--certs", certificates)) {
      String other = without.address();
      assertOneErrorLine(copy(file.toString(), other + ":a"), 1, "UNKNOWN_ROUTE");
      assertOneErrorLine(copy(other + ":a", here.resolve("b").toString()), 1, "UNKNOWN_ROUTE");
    }
    assertEquals(List.of("a"), names(here));
  }

  @Test
  void shouldTellThatNobodyListens() throws IOException {
    Path file = Files.writeString(here.resolve("a"), "text");
    CommandRun run =
        copy(file.toString(), "127.0.0.1:9:a", "--set", "millrace.handshake.timeout=500ms");
    assertOneErrorLine(run, 1, "HANDSHAKE_FAILED");
  }

  /** {@code serve --writers}: other peers read, and hear why they may not write. */
  @Test
  void shouldWriteOnlyWhereItIsAWriter() throws IOException {
    Path file = Files.write(here.resolve("data.bin"), random(10_000));
    Path theirs = Files.createDirectory(folder.resolve("theirs"));
    Files.write(theirs.resolve("old.bin"), random(20));
    for (String names : List.of("r9.example.org", "127.0.0.1,r9.example.org")) {
      try (NodeInThread other =
          NodeInThread.start(
              "--certs", certificates, "--dir", theirs.toString(), "--writers", names)) {
        CommandRun write = copy(file.toString(), other.address() + ":new.bin");
        CommandRun read =
            copy(other.address() + ":old.bin", here.resolve(names.length() + "").toString());
        assertEquals(0, read.exitCode(), read.err().toString());
        if (names.startsWith("127")) {
          assertEquals(0, write.exitCode(), write.err().toString());
        } else {
          assertOneErrorLine(write, 1, "may read the files of this node and write none");
          assertEquals(List.of("old.bin"), names(theirs));
        }
      }
    }
    CommandRun bad = CommandRun.of("serve", "--listen", "127.0.0.1:0", "--writers", "key:1");
    assertEquals(2, bad.exitCode());
  }
}
