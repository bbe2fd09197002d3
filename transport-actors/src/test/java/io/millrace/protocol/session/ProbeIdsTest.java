package io.millrace.protocol.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Rule N-10. */
class ProbeIdsTest {
  /** A known answer of the reference implementation of SipHash-2-4, for 8 bytes. */
  @Test
  void shouldHashAsSipHashDoes() {
    ProbeIds ids = new ProbeIds(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    assertEquals(0x93f5f5799a932462L, ids.hash(0x0706050403020100L));
  }

  @Test
  void shouldCountInTheLowestBitsAndBeForetoldByNobodyElse() {
    ProbeIds ids = new ProbeIds(1, 2);
    ProbeIds same = new ProbeIds(1, 2);
    ProbeIds other = new ProbeIds(1, 3);
    for (int i = 0; i < 1_000; i++) {
      long id = ids.next();
      assertTrue(id >= 0);
      assertEquals(i % 4, id & 3);
      assertEquals(id, same.next());
      assertNotEquals(id, other.next());
    }
  }
}
