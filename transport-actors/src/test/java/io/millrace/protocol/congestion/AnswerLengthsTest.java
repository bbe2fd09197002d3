package io.millrace.protocol.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AnswerLengthsTest {
  private static final long ROUTE = 77;

  private final AnswerLengths lengths = new AnswerLengths();

  private void answers(long route, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      lengths.onAnswer(route, bytes);
    }
  }

  @Test
  void shouldForeseeTheLongestOfSimilarAnswersAfterSomeAnswers() {
    answers(ROUTE, 3, 4_000);
    assertEquals(0, lengths.forecastBytes(ROUTE));
    answers(ROUTE, 1, 4_100);
    answers(ROUTE, 5, 4_000);
    assertEquals(4_100, lengths.forecastBytes(ROUTE));
  }

  @Test
  void shouldForeseeNothingWhereAnswersDiffer() {
    answers(ROUTE, 20, 1_000);
    answers(ROUTE, 1, 8_000);
    assertEquals(0, lengths.forecastBytes(ROUTE));
  }

  @Test
  void shouldFollowAnswersThatBecomeShorterOrLonger() {
    answers(ROUTE, 40, 4_000);
    answers(ROUTE, 80, 2_000);
    assertEquals(2_000, lengths.forecastBytes(ROUTE));
    answers(ROUTE, 20, 8_000);
    assertEquals(8_000, lengths.forecastBytes(ROUTE));
  }

  @Test
  void shouldKnowNothingOfOtherRoutes() {
    answers(ROUTE, 40, 4_000);
    assertEquals(0, lengths.forecastBytes(ROUTE + 1));
  }

  private long grants(int calls) {
    return IntStream.range(0, calls).filter(i -> lengths.isTimely(ROUTE)).count();
  }

  @Test
  void shouldTryAGrantNowAndThenWhereAnswersAreLateForTheirGrants() {
    answers(ROUTE, 40, 4_000);
    assertEquals(320, grants(320));
    for (int i = 0; i < 100; i++) {
      lengths.onLate(ROUTE);
    }
    assertEquals(10, grants(320));
    lengths.onTimely(ROUTE);
    assertEquals(320, grants(320));
    assertTrue(lengths.isTimely(ROUTE + 1));
  }
}
