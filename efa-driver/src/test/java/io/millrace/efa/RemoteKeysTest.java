package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RemoteKeysTest {
  @Test
  void shouldNeverRepeatEvenIfItsRandomDoes() {
    RemoteKeys keys = new RemoteKeys(8, () -> 7L);
    assertEquals(1_000, LongStream.generate(keys::next).limit(1_000).distinct().count());
  }

  @Test
  void shouldNotFollowFromTheKeyBefore() {
    RemoteKeys keys = new RemoteKeys(8, new SplittableRandom(1));
    long first = keys.next();
    long second = keys.next();
    long third = keys.next();
    assertNotEquals(second - first, third - second);
  }

  @Test
  void shouldFitKeysOfFourBytes() {
    RemoteKeys keys = new RemoteKeys(4, new SplittableRandom(1));
    assertEquals(1, keys.next());
    assertEquals(2, keys.next());
  }
}
