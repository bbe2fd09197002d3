package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.samples.log.bench.ReplicaProcesses;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas of the log on threads of this process, and the commands that call them. */
@Timeout(60)
final class LogCommandTest {
  private static final String UNKNOWN = "no.such.invalid:7";

  @TempDir private Path folder;
  private final List<Served> served = new ArrayList<>();
  private Path psk = Path.of("");

  @BeforeEach
  void writeKey() throws IOException {
    psk = Files.writeString(folder.resolve("psk"), "1f".repeat(32));
  }

  @AfterEach
  void end() {
    served.forEach(Served::close);
  }

  /** The command {@code log serve} on a thread. */
  private static final class Served {
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Thread thread;

    Served(List<String> args) throws IOException {
      PipedOutputStream pipe = new PipedOutputStream();
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(new PipedInputStream(pipe), StandardCharsets.UTF_8));
      PrintStream stdout = new PrintStream(pipe, true, StandardCharsets.UTF_8);
      PrintStream stderr = new PrintStream(err, true, StandardCharsets.UTF_8);
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (stdout) {
                      exitCode.complete(Main.run(args, stdout, stderr));
                    }
                  });
      String line = String.valueOf(out.readLine());
      assertTrue(line.contains(" listening on "), () -> line + err);
    }

    String err() {
      return err.toString(StandardCharsets.UTF_8);
    }

    void close() {
      thread.interrupt();
      var _ = exitCode.orTimeout(20, TimeUnit.SECONDS).join();
    }
  }

  private Served serve(int self, List<String> members, String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("serve", "--id", "" + self));
    args.addAll(List.of("--dir", folder.resolve("log" + self).toString()));
    args.addAll(List.of(more));
    Served one = new Served(command(members, args));
    served.add(one);
    return one;
  }

  private List<String> command(List<String> members, List<String> args) {
    List<String> all = new ArrayList<>(List.of("log"));
    all.addAll(args);
    all.addAll(List.of("--members", String.join(",", members), "--psk-file", psk.toString()));
    return all;
  }

  private CommandRun run(List<String> members, String... args) {
    return CommandRun.of(command(members, List.of(args)));
  }

  @Test
  void shouldServeWithTheMembersWhoseHostsAreKnown() throws Exception {
    List<String> members = new ArrayList<>(ReplicaProcesses.freeAddresses(2));
    members.add(UNKNOWN);
    serve(0, members);
    serve(1, members);
    List<String> fromUnknown = List.of(UNKNOWN, members.get(0), members.get(1));
    assertEquals(List.of("DONE"), run(fromUnknown, "put", "colour", "blue").out());
    assertEquals(List.of("blue"), run(members, "get", "colour").out());
    CommandRun missing = run(members, "get", "shape");
    assertEquals(1, missing.exitCode(), missing.toString());
    assertEquals(List.of(), missing.out());
    assertEquals("millrace log get: the key 'shape' has no value", missing.err().getLast());
    assertEquals("", run(members, "get", "shape", "--json").json().get("value").asText());

    CommandRun status = run(members, "status", "--json");
    JsonNode report = status.json();
    assertEquals(0, status.exitCode(), status.toString());
    assertEquals("[0]", report.get("leaders").toString());
    JsonNode third = report.get("replicas").get(2);
    assertEquals("its host is unknown", third.get("trouble").asText());
    assertTrue(report.get("replicas").get(0).get("chosen_through").asLong() >= 3, report::toString);
  }

  @Test
  void shouldRefuseMembersOfWhichNoHostIsKnown() {
    CommandRun get = run(List.of(UNKNOWN), "get", "colour");
    assertEquals(2, get.exitCode());
    assertTrue(get.err().getLast().contains("names the unknown host"), get.toString());
  }

  /** {@code LostDirectoryTest} tests the same in a simulation. */
  @Tag("soak")
  @Test
  void shouldRefuseAnEmptyDirectoryInPlaceOfOneThatHeldPromises() throws Exception {
    List<String> members = ReplicaProcesses.freeAddresses(3);
    serve(0, members);
    serve(1, members).close();
    serve(1, members);
    Served third = serve(2, members);
    assertEquals(List.of("DONE"), run(members, "put", "colour", "blue").out());
    third.close();
    Path lost = folder.resolve("log2");
    Files.move(lost, folder.resolve("gone"));
    Served empty = serve(2, members);
    assertEquals(2, empty.exitCode.get(20, TimeUnit.SECONDS));
    assertTrue(
        empty.err().contains("knows a former directory of this replica, which held promises"),
        empty::err);
    assertTrue(empty.err().contains("--replace"), empty::err);

    serve(2, members, "--replace");
    JsonNode replaced = run(members, "status", "--json").json().get("replicas").get(2);
    while (replaced.has("trouble")) {
      Thread.onSpinWait();
      replaced = run(members, "status", "--json").json().get("replicas").get(2);
    }
    served.get(1).close();
    served.get(2).close();
    assertEquals(List.of("DONE"), run(members, "put", "colour", "green").out(), "by 0 and 2");
    assertTrue(replaced.get("chosen_through").asLong() >= 2, replaced::toString);
  }

  @Test
  void shouldEndWithASentenceWhenTheDiskFailed() throws Exception {
    List<String> members = ReplicaProcesses.freeAddresses(1);
    Served replica = serve(0, members);
    assertEquals(List.of("DONE"), run(members, "put", "colour", "blue").out());
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("log-flush"))
        .forEach(Thread::interrupt);
    Thread client = Thread.startVirtualThread(() -> run(members, "put", "colour", "green"));
    assertEquals(1, replica.exitCode.get(20, TimeUnit.SECONDS));
    assertTrue(
        replica.err().contains("replica 0 takes no part any more: its disk failed ("),
        replica::err);
    assertTrue(replica.err().contains("Start it again"), replica::err);
    client.interrupt();
    client.join();
  }
}
