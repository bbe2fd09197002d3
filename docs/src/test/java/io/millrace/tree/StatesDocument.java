package io.millrace.tree;

import io.millrace.buffer.BufferPhase;
import io.millrace.protocol.causality.SlotState;
import io.millrace.protocol.health.HealthObservation;
import io.millrace.protocol.health.HealthTransitions;
import io.millrace.protocol.health.LivenessObservation;
import io.millrace.protocol.health.LivenessState;
import io.millrace.protocol.health.LivenessTransitions;
import io.millrace.protocol.region.RegionEvent;
import io.millrace.protocol.region.RegionState;
import io.millrace.protocol.region.RegionTransitions;
import io.millrace.protocol.region.TokenEvent;
import io.millrace.protocol.region.TokenState;
import io.millrace.protocol.region.TokenTransitions;
import io.millrace.protocol.replay.ChallengePhase;
import io.millrace.protocol.stream.FlowTransitions;
import io.millrace.protocol.stream.ReceiveFlowEvent;
import io.millrace.protocol.stream.ReceiveFlowState;
import io.millrace.protocol.stream.SendFlowEvent;
import io.millrace.protocol.stream.SendFlowState;
import io.millrace.protocol.transfer.CallPhase;
import io.millrace.protocol.transfer.ServedPhase;
import io.millrace.transfer.PeerHealth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the generated parts of docs/states.md from the tables of transitions: all text between
 * {@code <!-- table of CallPhase -->} and the next {@code <!-- end of table -->}. The rest of the
 * document is written by hand. The {@code main} needs the classes of transport-actors.
 */
final class StatesDocument {
  static final String DOCUMENT = "docs/states.md";

  private static final String END = "<!-- end of table -->";
  private static final Pattern PLACE =
      Pattern.compile("<!-- table of (\\w+) -->\n(?s:.*?)" + Pattern.quote(END));

  static final List<StateTable> TABLES =
      List.of(
          StateTable.of(
              CallPhase.class,
              CallPhase.class,
              CallPhase.Event.class,
              (from, event) -> Optional.ofNullable(from.after(event))),
          StateTable.of(
              ServedPhase.class,
              ServedPhase.class,
              ServedPhase.Event.class,
              (from, event) -> Optional.ofNullable(from.after(event))),
          StateTable.of(
              ChallengePhase.class,
              ChallengePhase.class,
              ChallengePhase.Event.class,
              (from, event) -> Optional.ofNullable(from.after(event))),
          StateTable.of(
              TokenTransitions.class,
              TokenState.class,
              TokenEvent.class,
              (from, event) -> Optional.ofNullable(TokenTransitions.next(from, event))),
          StateTable.of(
              RegionTransitions.class,
              RegionState.class,
              RegionEvent.class,
              (from, event) -> Optional.ofNullable(RegionTransitions.next(from, event))),
          StateTable.of(
              BufferPhase.class,
              BufferPhase.class,
              BufferPhase.Event.class,
              (from, event) -> Optional.ofNullable(from.after(event))),
          StateTable.of(
              FlowTransitions.class,
              SendFlowState.class,
              SendFlowEvent.class,
              (from, event) -> Optional.ofNullable(FlowTransitions.next(from, event))),
          StateTable.of(
              FlowTransitions.class,
              ReceiveFlowState.class,
              ReceiveFlowEvent.class,
              (from, event) -> Optional.ofNullable(FlowTransitions.next(from, event))),
          StateTable.of(
              HealthTransitions.class,
              PeerHealth.class,
              HealthObservation.class,
              (from, event) -> Optional.of(HealthTransitions.next(from, event))),
          StateTable.of(
              LivenessTransitions.class,
              LivenessState.class,
              LivenessObservation.class,
              (from, event) -> Optional.ofNullable(LivenessTransitions.next(from, event))),
          StateTable.of(
              SlotState.class,
              SlotState.class,
              SlotState.Event.class,
              (from, event) -> Optional.ofNullable(from.after(event))));

  private StatesDocument() {}

  /**
   * Returns the document with new tables.
   *
   * @param textOf reads a file, named from the root of the repository
   */
  static String of(String document, UnaryOperator<String> textOf) {
    return PLACE
        .matcher(document)
        .replaceAll(place -> Matcher.quoteReplacement(made(place.group(1), textOf)));
  }

  /** The names of the tables with a place in the document, in the document's order. */
  static List<String> places(String document) {
    return PLACE.matcher(document).results().map((MatchResult place) -> place.group(1)).toList();
  }

  private static String made(String name, UnaryOperator<String> textOf) {
    StateTable table =
        TABLES.stream()
            .filter(known -> known.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("there is no table of " + name));
    String section =
        table.section(
            textOf.apply(StateTable.sourceOf(table.states())),
            textOf.apply(StateTable.sourceOf(table.events())));
    return "<!-- table of " + name + " -->\n" + section + END;
  }

  /** Writes the tables into the document; run it in the root of the repository. */
  public static void main(String[] arguments) throws IOException {
    Path document = Path.of(DOCUMENT);
    Files.writeString(document, of(Files.readString(document), StatesDocument::read));
  }

  private static String read(String path) {
    try {
      return Files.readString(Path.of(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
