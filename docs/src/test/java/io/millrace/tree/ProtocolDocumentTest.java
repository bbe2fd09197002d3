package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.testkit.sim.FrameType;
import io.millrace.tree.FrameSchema.Frame;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The protocol document and the code say the same. */
final class ProtocolDocumentTest {
  private static final SourceTree TREE = SourceTree.current();

  @Test
  void shouldDocumentEveryFrameAsTheSchemaDefinesIt() {
    assertEquals("", String.join("\n", document().differencesFrom(schema())));
  }

  @Test
  void shouldCiteOnlyRulesThatExist() {
    ProtocolDocument document = document();
    List<String> unknown =
        TREE.files().stream().flatMap(file -> document.unknownCitations(file).stream()).toList();
    assertEquals("", String.join("\n", unknown));
  }

  @Test
  void shouldNumberEveryRuleOnce() {
    assertEquals(List.of(), document().ambiguousRules());
  }

  @Test
  void shouldGiveEveryFrameItsOwnId() {
    List<Frame> frames = schema();
    assertFalse(frames.isEmpty());
    assertEquals(frames.size(), frames.stream().map(Frame::id).distinct().count());
    assertEquals(frames.size(), frames.stream().map(Frame::name).distinct().count());
  }

  /** A simulation can lose, repeat, delay and damage each named frame. */
  @Test
  void shouldNameEveryFrameInTheSimulator() {
    List<String> known =
        Stream.of(FrameType.values()).map(type -> type + " " + type.templateId()).toList();
    assertEquals(schema().stream().map(ProtocolDocumentTest::constant).toList(), known);
  }

  /** The frame's name in the form of a constant, and the frame's id. */
  private static String constant(Frame frame) {
    return frame.name().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT)
        + " "
        + frame.id();
  }

  private static List<Frame> schema() {
    String path = "transport-actors/src/main/sbe/millrace.xml";
    return FrameSchema.parse(TREE.file(path).orElseThrow().text());
  }

  private static ProtocolDocument document() {
    var file = TREE.file("docs/protocol.md");
    assumeTrue(file.isPresent(), "there is no docs/protocol.md to compare with");
    return new ProtocolDocument(file.orElseThrow().text());
  }
}
