package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.samples.certs.CertificateDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertsCommandTest {
  @TempDir Path folder;

  private CommandRun certs(String... args) {
    List<String> all = new ArrayList<>(List.of("certs"));
    all.addAll(List.of(args));
    all.addAll(List.of("--dir", folder.toString()));
    return CommandRun.of(all);
  }

  private static void assertDone(CommandRun run) {
    assertEquals(List.of(), run.err());
    assertEquals(0, run.exitCode());
  }

  private void assertRefused(CommandRun run, String line) {
    assertEquals(List.of(line.replace("DIR", folder.toString())), run.err());
    assertEquals(2, run.exitCode());
  }

  @Test
  void shouldMakeAClusterOfTwo() throws Exception {
    assertDone(certs("init"));
    CommandRun made = certs("node", "a", "--host", "10.0.0.1", "--host", "a.example.org");
    assertDone(made);
    assertEquals(2, made.out().size());
    assertTrue(
        made.out()
            .getFirst()
            .startsWith(
                folder
                    + "/a.pem: CN=a,O=Millrace development, for 10.0.0.1, a.example.org, until "),
        made.out()::toString);
    assertEquals(folder + "/a-key.pem: its private key, for its owner only", made.out().getLast());
    JsonNode report = certs("node", "b", "--days", "3", "--json").json();
    assertEquals(
        "[\"localhost\",\"127.0.0.1\",\"0:0:0:0:0:0:0:1\",\"b\"]", report.path("names").toString());
    assertEquals(folder + "/b.pem", report.path("file").asText());
    assertEquals(folder + "/b-key.pem", report.path("key").asText());

    CertificateDirectory directory = new CertificateDirectory(folder);
    assertEquals(
        directory.requireNode("a").getIssuerX500Principal(),
        directory.requireNode("b").getIssuerX500Principal());
  }

  @Test
  void shouldShowAFileAndAFolder() throws Exception {
    assertDone(certs("init"));
    assertDone(certs("node", "a"));
    assertDone(certs("revoke", "a"));

    JsonNode all = certs("show", "--json").json().path("certificates");
    JsonNode chain = certs("show", folder.resolve("a.pem").toString(), "--json").json();

    assertEquals(2, all.size());
    assertEquals(folder + "/ca.pem", all.at("/0/file").asText());
    assertEquals("CN=a,O=Millrace development", all.at("/1/subject").asText());
    assertEquals(all.at("/0/subject").asText(), all.at("/1/issuer").asText());
    assertEquals(64, all.at("/1/sha256").asText().length());
    assertEquals(all.at("/1/sha256").asText(), chain.at("/certificates/0/sha256").asText());
    assertEquals(all.at("/0/sha256").asText(), chain.at("/certificates/1/sha256").asText());
    List<String> lines = certs("show", folder.resolve("a.pem").toString()).out();
    assertEquals(folder + "/a.pem", lines.getFirst());
    assertEquals("  subject  CN=a,O=Millrace development", lines.get(1));
    assertEquals("  names    localhost, 127.0.0.1, 0:0:0:0:0:0:0:1, a", lines.get(3));
    String text = String.join("\n", lines);
    assertTrue(text.contains("  SHA-256  " + all.at("/1/sha256").asText()), text);
    assertFalse(text.contains("PRIVATE"), text);
  }

  @Test
  void shouldTellInOneLineWhatItDoesNotDo() throws Exception {
    assertRefused(certs("show"), "millrace certs show: there are no certificates in 'DIR'");
    assertRefused(
        certs("revoke", "a"),
        "millrace certs revoke: there is no 'DIR/ca.pem'; 'millrace certs init --dir DIR' makes"
            + " it");
    assertDone(certs("init"));
    assertRefused(certs("init"), "millrace certs init: 'DIR/ca.pem' exists; --force replaces it");
    assertRefused(
        certs("node", "a", "--host", "a b"),
        "millrace certs node: --host must be a DNS name or an IP address, not 'a b'");
    assertRefused(
        certs("node", "a", "--days", "0"),
        "millrace certs node: --days must be from 1 to 36500, not 0");
    Path file = Files.createDirectory(folder.resolve("a.pem"));
    assertEquals(2, certs("node", "a").exitCode());
    Files.delete(file);
    assertDone(certs("init", "--force"));
  }
}
