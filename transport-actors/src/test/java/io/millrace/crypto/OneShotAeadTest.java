package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OneShotAeadTest {
  private final AeadKey key = new AeadKey(new byte[28]);
  private final byte[] header = {1, 2, 3};

  @Test
  void shouldOpenWhatItSealedAndNothingElse() {
    byte[] message = "an advert".getBytes();
    byte[] sealed = OneShotAead.seal(key, header, message);
    assertEquals(message.length + OneShotAead.OVERHEAD, sealed.length);
    assertArrayEquals(message, OneShotAead.open(key, header, sealed));
    for (int bit = 0; bit < sealed.length * 8; bit++) {
      byte[] forged = sealed.clone();
      forged[bit / 8] ^= (byte) (1 << bit % 8);
      assertNull(OneShotAead.open(key, header, forged));
    }
    assertNull(OneShotAead.open(key, new byte[] {1, 2, 4}, sealed));
    for (int length = 0; length < sealed.length; length++) {
      assertNull(OneShotAead.open(key, header, Arrays.copyOf(sealed, length)));
    }
  }
}
