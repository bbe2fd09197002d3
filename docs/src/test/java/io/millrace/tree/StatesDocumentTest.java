package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The document of states shows all tables by which the engine decides. */
final class StatesDocumentTest {
  private static final SourceTree TREE = SourceTree.current();

  @Test
  void shouldShowTheTablesOfTheEngine() {
    String document = textOf(StatesDocument.DOCUMENT);
    assertEquals(
        StatesDocument.of(document, StatesDocumentTest::textOf),
        document,
        "write the tables anew: see docs/hacking.md, The document of states");
  }

  @Test
  void shouldHaveAPlaceForEveryTable() {
    List<String> tables = StatesDocument.TABLES.stream().map(StateTable::name).sorted().toList();
    List<String> places =
        StatesDocument.places(textOf(StatesDocument.DOCUMENT)).stream().sorted().toList();
    assertEquals(tables, places);
  }

  @Test
  void shouldKnowEveryTableOfTheEngine() {
    TreeSet<String> known = new TreeSet<>();
    StatesDocument.TABLES.forEach(
        table -> known.add(table.states().getName() + " by " + table.events().getName()));
    TreeSet<String> decided = new TreeSet<>();
    for (JavaClass type : ArchitectureTest.CLASSES) {
      type.getMethods().forEach(method -> transitionOf(method).ifPresent(decided::add));
    }
    assertEquals(known, decided);
  }

  /** The state and event types of a method that makes the next state from a state and an event. */
  private static Optional<String> transitionOf(JavaMethod method) {
    JavaClass state = method.getRawReturnType();
    List<JavaClass> given = new ArrayList<>(method.getRawParameterTypes());
    boolean isOfState = method.getOwner().equals(state) || given.remove(state);
    return state.isEnum()
            && isOfState
            && given.size() == 1
            && given.getFirst().isEnum()
            && !given.getFirst().equals(state)
        ? Optional.of(state.getName() + " by " + given.getFirst().getName())
        : Optional.empty();
  }

  @Test
  void shouldShowTheTableInTheCommentOfItsClass() {
    List<String> missing =
        StatesDocument.TABLES.stream()
            .filter(table -> !commentOf(table.table()).contains(table.comment()))
            .map(table -> table.table().getSimpleName() + " should say\n" + table.comment())
            .toList();
    assertEquals("", String.join("\n", missing));
  }

  /** The lines of the class's source without indentation, with single spaces. */
  private static String commentOf(Class<?> type) {
    return textOf(StateTable.sourceOf(type)).replaceAll(" +", " ").replace("\n ", "\n");
  }

  @Test
  void shouldNameOnlyTestsAndClassesThatExist() {
    List<String> known =
        TREE.javaFiles().stream().map(file -> file.name().replace(".java", "")).toList();
    List<String> unknown =
        Stream.of(textOf(StatesDocument.DOCUMENT).split("`", -1))
            .filter(word -> word.matches("[A-Z][a-z]+[A-Za-z]*[a-z]"))
            .filter(word -> !known.contains(word))
            .distinct()
            .toList();
    assertEquals(List.of(), unknown);
  }

  @Test
  void shouldMakeAnewWhatWasChangedByHand() {
    String document = textOf(StatesDocument.DOCUMENT);
    String changed = document.replaceFirst("\\| EXECUTING \\|", "| ANSWERED |");
    assertTrue(!changed.equals(document));
    assertEquals(document, StatesDocument.of(changed, StatesDocumentTest::textOf));
  }

  @Test
  void shouldRefuseAPlaceForWhatIsNoTable() {
    String document = "<!-- table of Nothing -->\n<!-- end of table -->";
    assertThrows(
        IllegalArgumentException.class,
        () -> StatesDocument.of(document, StatesDocumentTest::textOf));
  }

  private static String textOf(String path) {
    return TREE.file(path).orElseThrow().text();
  }
}
