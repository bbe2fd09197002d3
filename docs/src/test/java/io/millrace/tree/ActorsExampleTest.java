package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example in docs/actors.md is code that compiles and runs as the page says. */
final class ActorsExampleTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final String EXAMPLE = "docs/src/test/java/io/millrace/tree/ActorsExample.java";

  @Test
  void shouldShowTheExampleAsItCompiles() {
    String source = TREE.file(EXAMPLE).orElseThrow().text();
    String withoutPackage = source.substring(source.indexOf("import "));
    String document = TREE.file("docs/actors.md").orElseThrow().text();
    List<MatchResult> blocks = JAVA_BLOCK.matcher(document).results().toList();
    assertEquals(1, blocks.size());
    assertEquals(withoutPackage, blocks.getFirst().group(1));
  }

  @Test
  @Timeout(60)
  void shouldCountWhatIsBrought() throws Exception {
    TransportSettings settings = TransportSettings.defaults().withPsk("0123456789abcdef".repeat(4));
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "example");
    try (Transport there = Transport.builder(settings).system(system).start();
        Transport here = Transport.builder(settings).system(system).start()) {
      ActorsExample.serve(there, system);
      Peer mill = here.peer(there.address());
      BlockingQueue<String> heard = new LinkedBlockingQueue<>();
      for (int sacks = 3; sacks <= 4; sacks++) {
        system.systemActorOf(
            ActorsExample.baker(mill, sacks, heard::add), "baker-" + sacks, Props.empty());
        String expected = sacks == 3 ? "3 sacks" : "7 sacks";
        assertEquals(expected, heard.poll(20, TimeUnit.SECONDS));
      }
    } finally {
      system.terminate();
    }
  }
}
