package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.stream.Materializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StoreCommandTest {
  @TempDir Path folder;
  private final List<NodeInThread> nodes = new ArrayList<>();

  @AfterEach
  void end() {
    nodes.reversed().forEach(NodeInThread::close);
  }

  private String certificates() {
    return LocalCertificates.in(folder).path();
  }

  private String server(String command, String... options) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of("store", command, "--listen", "127.0.0.1:0", "--certs", certificates()));
    args.addAll(List.of(options));
    NodeInThread node = NodeInThread.ofCommand(args.toArray(String[]::new));
    nodes.add(node);
    return node.address();
  }

  private CommandRun run(String... options) {
    List<String> args = new ArrayList<>(List.of("store"));
    args.addAll(List.of(options));
    args.addAll(List.of("--certs", certificates(), "--json"));
    CommandRun run = CommandRun.of(args);
    assertEquals(0, run.exitCode(), run.err().toString());
    return run;
  }

  /** A jar, the most real artifact available here. */
  private static Path jar() throws Exception {
    return Path.of(Materializer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void shouldPutAJarIntoOneDaemonAndGetItFromAnother() throws Exception {
    String coordinator =
        server("coordinator", "--database", "jdbc:h2:" + folder.resolve("database"));
    String first =
        server("daemon", "--coordinator", coordinator, "--dir", folder.resolve("a").toString());
    String second =
        server("daemon", "--coordinator", coordinator, "--dir", folder.resolve("b").toString());

    JsonNode put = run("put", jar().toString(), "--daemon", first, "--key", "jar").json();

    assertEquals(Files.size(jar()), put.path("bytes").asLong());
    Path copy = folder.resolve("copy.jar");
    JsonNode got =
        run("get", "jar", copy.toString(), "--daemon", second, "--coordinator", coordinator).json();
    assertEquals("LOADED", got.path("how").asText());
    assertEquals(first, got.path("sources").path(0).asText());
    assertEquals(Files.size(jar()), got.path("bytes_from_peers").asLong());
    assertEquals(-1, Files.mismatch(jar(), copy));
    JsonNode again =
        run("get", put.path("artifact").asText(), "--daemon", second, "--coordinator", coordinator)
            .json();
    assertEquals("REUSED", again.path("how").asText());
    assertEquals(Files.size(jar()), again.path("bytes").asLong());
    JsonNode listed = run("ls", "--coordinator", coordinator).json().path("artifacts").path(0);
    assertEquals("jar", listed.path("keys").path(0).asText());
    assertEquals(2, listed.path("holders").size(), listed.toString());
  }

  @Test
  void shouldTellWhatIsWrongInOneLine() throws Exception {
    CommandRun none = CommandRun.of("store");
    assertEquals(2, none.exitCode());
    assertTrue(none.err().getFirst().contains("coordinator, daemon, put, get, ls"));
    CommandRun both = CommandRun.of("store", "put", "--daemon", "127.0.0.1:9");
    assertEquals(2, both.exitCode());
    assertTrue(both.err().getFirst().contains("FILE or --generate"), both.err().toString());
    String coordinator = server("coordinator");
    CommandRun unknown =
        CommandRun.of(
            "store",
            "get",
            "nothing",
            "--daemon",
            coordinator,
            "--coordinator",
            coordinator,
            "--certs",
            certificates());
    assertEquals(1, unknown.exitCode());
    assertTrue(
        unknown.err().getFirst().contains("nobody has put anything under the key 'nothing'"),
        unknown.err().toString());
  }
}
