package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The division of the memory of sealed bytes. */
class TransferSettingsTest {
  @Test
  void shouldHoldHalfOfThePoolForBroadcastsButNoMoreThanIsSet() {
    assertEquals(32L << 20, transfers("").heldForBroadcastsBytes());
    assertEquals(2L << 20, transfers("buffer-pool = 4 MiB").heldForBroadcastsBytes());
    assertEquals(1000, transfers("broadcast-pool = 1000").heldForBroadcastsBytes());
  }

  /**
   * Otherwise a broadcast waits for a transfer's place, while the transfer in this place waits for
   * the broadcast's memory.
   */
  @ParameterizedTest
  @ValueSource(ints = {512, 520, 576, 640, 683, 684, 768, 1024, 4096})
  void shouldLeaveBlocksForAPartOfAnotherBody(int kib) {
    TransferSettings settings = transfers("buffer-pool = " + kib + " KiB");
    long held = settings.heldForBroadcastsBytes();
    long blocks =
        (held + TransferSettings.LARGE_BLOCK_BYTES - 1) / TransferSettings.LARGE_BLOCK_BYTES;
    long left = (settings.largeBlocks() - blocks) * TransferSettings.LARGE_BLOCK_BYTES;
    assertTrue(left >= TransferSettings.PART_BYTES, left + " bytes are left beside " + held);
    assertTrue(held >= 192 << 10, held + " bytes for broadcasts");
    long all =
        (long) settings.smallBlocks() * TransferSettings.SMALL_BLOCK_BYTES
            + (long) settings.largeBlocks() * TransferSettings.LARGE_BLOCK_BYTES;
    assertTrue(all <= settings.bufferPoolBytes(), all + " bytes of blocks");
  }

  private static TransferSettings transfers(String setting) {
    return TransportSettings.parse("millrace.transfers { " + setting + " }").transfers();
  }
}
