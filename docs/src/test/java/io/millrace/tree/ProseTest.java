package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Sentences name their subjects: {@link Prose} has the rule. */
final class ProseTest {
  private static final SourceTree TREE = SourceTree.current();

  /** Below this the test looked at nothing. */
  private static final int FEWEST_SENTENCES = 25_000;

  /** Of all words; four well-kept projects of the field have 2.1 to 3.6. */
  private static final long MOST_PERCENT = 5;

  private static final List<Prose.Sentence> SENTENCES =
      TREE.files().stream().flatMap(file -> Prose.of(file).stream()).toList();

  @Test
  void shouldNameTheSubjectOfEverySentence() {
    assertTrue(SENTENCES.size() > FEWEST_SENTENCES, () -> "saw " + SENTENCES.size());
    assertEquals(
        "",
        SENTENCES.stream()
            .filter(Prose.Sentence::hidesItsSubject)
            .map(Prose.Sentence::toString)
            .collect(Collectors.joining("\n")));
  }

  @Test
  void shouldNameThingsRatherThanPointAtThem() {
    int words = SENTENCES.stream().mapToInt(Prose.Sentence::wordCount).sum();
    int pronouns = SENTENCES.stream().mapToInt(Prose.Sentence::pronounCount).sum();
    assertTrue(
        100L * pronouns <= MOST_PERCENT * words,
        () -> pronouns + " pronouns of " + words + " words");
  }

  @Test
  void shouldSeeSentencesThatHideTheirSubjects() {
    String java =
        """
        /**
         * What waits is told. A call that waits for other calls keeps its place. It has what it
         * was given by them.
         *
         * @param place who has it when it goes
         */
        // One of two. One that came is there.
        """;
    assertEquals(
        List.of(
            "src/main/java/A.java: What waits is told.",
            "src/main/java/A.java: It has what it was given by them.",
            "src/main/java/A.java: who has it when it goes",
            "src/main/java/A.java: One that came is there."),
        Prose.of(new SourceFile("src/main/java/A.java", java)).stream()
            .filter(Prose.Sentence::hidesItsSubject)
            .map(Prose.Sentence::toString)
            .toList());
  }
}
