package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.samples.certs.CertificateDirectory;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands with a part in a process of its own. */
class ProcessesTest {
  private static final long END_SECONDS = 30;

  @TempDir static Path shared;
  @TempDir Path folder;

  @Test
  void shouldVerifyEveryAnswerOfASecondProcessAndEndIt() throws Exception {
    Path file =
        Files.writeString(folder.resolve("input"), "a line of text, and another one\n".repeat(500));

    CommandRun run =
        CommandRun.of("demo", "--json", "--file", file.toString(), "--certs", certificates());

    assertEquals(0, run.exitCode(), run.err().toString());
    JsonNode report = run.json();
    assertTrue(report.path("verified").asBoolean());
    assertEquals(
        "[\"unary\",\"streaming-response\",\"streaming-request\",\"bidirectional\",\"bulk\","
            + "\"broadcast\",\"causality\"]",
        report.path("patterns").toString());
    assertEquals("tls", report.path("handshake").asText());
    assertEquals(1, report.path("drivers").size());
    // twice as calls and once as a stream, with answers; as bulk and as streams there and back;
    // in a broadcast to three
    long answered = 3 * (2 * Files.size(file) + 500 * 32);
    assertEquals(answered + 7 * Files.size(file), report.path("bytes").asLong());
    JsonNode broadcast = report.at("/passes/7");
    assertEquals("broadcast", broadcast.path("pattern").asText());
    assertEquals(3 * Files.size(file), broadcast.path("bytes").asLong());
    assertEquals(3, broadcast.path("peers").asInt());
    assertTrue(broadcast.path("whole_file").asBoolean());
    assertEquals(1, broadcast.path("records_sealed").asInt());
    assertEquals(1, broadcast.path("allocations").asInt());
    JsonNode chain = report.at("/passes/8");
    assertEquals("causality", chain.path("pattern").asText());
    assertEquals(3, chain.path("nodes").asInt());
    assertEquals(150, chain.path("calls").asInt());
    assertEquals("streaming-request", report.at("/passes/4/pattern").asText());
    assertEquals(Files.size(file), report.at("/passes/4/bytes").asLong());
    assertEquals("streaming-response", report.at("/passes/5/pattern").asText());
    assertEquals(Files.size(file), report.at("/passes/5/bytes").asLong());
    assertEquals("bidirectional", report.at("/passes/6/pattern").asText());
    assertEquals(2 * Files.size(file) + 500 * 32, report.at("/passes/6/bytes").asLong());
    assertEquals(Files.size(file), report.at("/passes/2/bytes").asLong());
    assertEquals("read", report.at("/passes/3/through").asText());
    assertTrue(report.path("seconds").asDouble() > 0);
    long server = report.at("/processes/1").asLong();
    assertEquals(ProcessHandle.current().pid(), report.at("/processes/0").asLong());
    assertNotEquals(ProcessHandle.current().pid(), server);
    assertFalse(ProcessHandle.of(server).map(ProcessHandle::isAlive).orElse(false));
    assertEquals("[63,63,63,63,62,62,62,62]", report.at("/passes/0/calls_per_priority").toString());
  }

  @Test
  void shouldTellTheDemoInATable() throws Exception {
    Path file = Files.write(folder.resolve("input"), new byte[10_000]);

    CommandRun run =
        CommandRun.of(
            "demo",
            "--file",
            file.toString(),
            "--certs",
            certificates(),
            "--set",
            "millrace.transfers.broadcast-pool=9009");

    assertEquals(0, run.exitCode(), run.err().toString());
    String text = String.join("\n", run.out());
    assertTrue(text.contains("unary: flow, handler on executor"), text);
    assertTrue(text.contains("bulk: file to file, back"), text);
    assertTrue(text.contains("streaming request: to the other's disk"), text);
    assertTrue(text.contains("streaming response: from there"), text);
    assertTrue(text.contains("bidirectional: there, and back changed"), text);
    assertTrue(text.contains("broadcast: first 9.0 kB to 3 nodes' disks"), text);
    assertTrue(text.contains("records sealed for all of them"), text);
    assertTrue(text.contains("dependencies: a chain over 3 nodes, in order"), text);
    assertTrue(
        text.contains(
            "handshake: TLS 1.3 with the certificate in " + shared + "/certs/localhost.pem"),
        text);
    assertTrue(text.contains("pid"), text);
    assertTrue(run.out().getLast().startsWith("verified: every byte of 20 answers"), text);
    assertTrue(
        run.out()
            .getLast()
            .endsWith(
                "the first part's copies at 3 nodes; and the order of 150 dependent calls over 3"),
        text);
  }

  @Test
  void shouldEndTheSecondProcessWhenItsStdinEnds() throws Exception {
    ChildNode child =
        ChildNode.start(
            "millrace.handshake.provider = psk, millrace.handshake.psk = \""
                + KeySource.random()
                + "\"");
    assertTrue(child.address().startsWith("127.0.0.1:"));
    assertTrue(child.isAlive());

    child.close();

    assertFalse(child.isAlive());
  }

  private static String certificates() {
    return LocalCertificates.in(shared).path();
  }

  @Test
  void shouldMakeCertificatesOnFirstUseAndEndServeCleanlyOnSigterm() throws Exception {
    List<String> command =
        Stream.concat(
                ShortJvm.command("-Dmillrace.home=" + folder).stream(),
                Stream.of(Main.class.getName(), "serve", "--listen", "127.0.0.1:0", "--json"))
            .toList();
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      assertTrue(out.readLine().startsWith("listening on 127.0.0.1:"));

      process.toHandle().destroy();

      String report = out.lines().toList().getLast();
      assertTrue(report.startsWith("{\"address\":\"127.0.0.1:"), report);
      assertTrue(process.waitFor(END_SECONDS, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue());
      Path made = folder.resolve(".millrace").resolve("certs");
      assertEquals(
          "made certificates for nodes of this machine: " + made + "\n", Files.readString(errors));
      new CertificateDirectory(made).requireNode("localhost");
    } finally {
      process.destroyForcibly();
    }
  }
}
