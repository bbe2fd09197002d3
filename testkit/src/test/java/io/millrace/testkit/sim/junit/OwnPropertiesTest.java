package io.millrace.testkit.sim.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnPropertiesTest {
  @Test
  void shouldKeepThePropertiesOfMavensCommand() {
    String words =
        " test -pl store -Dtest=StoreTest -Dstore.bug=lost ack -D store.nodes=5 -Pfast"
            + " -Dmillrace.sim.seed=7 -Dmillrace.sim.patience=300 -Dstore.trace ";
    Map<String, String> values =
        Map.of("store.bug", "lost ack", "store.nodes", "5", "millrace.sim.patience", "300");

    assertEquals(
        " '-Dstore.bug=lost ack' -Dstore.nodes=5 -Dmillrace.sim.patience=300 -Dstore.trace",
        OwnProperties.of(words, List.of("-Dpom.own=1"), values));
  }

  @Test
  void shouldQuoteForAShell() {
    assertEquals(
        " '-Da=it'\\''s $HOME'", OwnProperties.of("-Da", List.of(), Map.of("a", "it's $HOME")));
  }

  @Test
  void shouldTakeTheArgumentsOfTheJvmWithoutMaven() {
    List<String> jvm =
        List.of("-ea", "-Xmx1g", "-Dfile.encoding=UTF-8", "-Didea.test.cyclic=1", "-Dbug=1");

    assertEquals(" -Dbug=1", OwnProperties.of(null, jvm, Map.of("bug", "1")));
    assertEquals("", OwnProperties.of("test -q", jvm, Map.of("bug", "1")));
  }
}
