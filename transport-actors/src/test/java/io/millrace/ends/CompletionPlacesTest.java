package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CompletionPlacesTest {
  private int wakeUps;

  private final CompletionPlaces.Seeker seeker =
      new CompletionPlaces.Seeker() {
        @Override
        public long wanted() {
          return 1;
        }

        @Override
        public void wakeUp() {
          wakeUps++;
        }
      };

  @Test
  void shouldWakeASeekerWhoeverBringsABatchOfPlaces() {
    CompletionPlaces places = new CompletionPlaces(1 << 16);
    places.register(seeker);
    places.tryTake();
    assertEquals(1, wakeUps);
    places.take();
    assertEquals(2, wakeUps);
    places.giveBack();
    assertEquals(3, wakeUps);
  }
}
