package io.millrace.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.TransferBuffer;
import io.millrace.config.CausalitySettings;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.Records;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A peer's memory of a node leaves the remaining memory to other peers. */
final class PeerSharesTest {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int MESSAGE_BYTES = 1_000;

  private final List<String> failures = new ArrayList<>();
  private final BufferRegistry buffers = TestBodies.registry(8);
  private final BodyServices services =
      TestBodies.services(
          buffers,
          new TransferSettings(
              BLOCK_BYTES * 8,
              BLOCK_BYTES * 2,
              BLOCK_BYTES,
              MESSAGE_BYTES,
              MESSAGE_BYTES * 4,
              MESSAGE_BYTES * 2,
              0,
              false,
              0,
              new TransferSettings.Registration(1 << 16, 1, 1 << 16),
              new CausalitySettings(1, 1, 0)),
          AeadProviders.discover().select(Records.RECORD_BYTES));

  @Test
  void shouldRefuseMessagesBeyondTheShareOfTheirPeer() {
    PeerShares.Share greedy = services.shares().open("greedy");
    PeerShares.Share modest = services.shares().open("modest");
    Message first = new Message(greedy);
    assertNotNull(first.begin());
    assertNotNull(new Message(greedy).begin());

    assertNull(new Message(greedy).begin());
    assertEquals(
        List.of(
            "OVERLOADED messages of one peer being put together take all of"
                + " millrace.transfers.assembly-per-peer"),
        failures);
    assertNotNull(new Message(modest).begin());
    assertEquals(3 * MESSAGE_BYTES, services.assembly().usedBytes());

    first.abort(new IOException("over"));
    assertNotNull(new Message(greedy).begin());
    assertEquals(1, failures.size());
  }

  @Test
  void shouldCountTheHeadersOfAMessage() {
    PeerShares.Share share = services.shares().open("peer");
    Message message = new Message(share);
    assertNotNull(message.begin(400, 100));
    assertEquals(500, share.assembly().usedBytes());
    assertEquals(500, services.assembly().usedBytes());

    message.abort(new IOException("over"));
    assertEquals(0, share.assembly().usedBytes());
    assertEquals(0, services.assembly().usedBytes());
  }

  @Test
  void shouldTakeNothingOfAShareWhenTheNodeHasNoMore() {
    PeerShares.Share share = services.shares().open("peer");
    services.assembly().reserve(3 * MESSAGE_BYTES + 1);
    assertNull(new Message(share).begin());
    assertEquals(0, share.assembly().usedBytes());
    assertEquals(
        List.of("OVERLOADED messages being put together take all of millrace.transfers.assembly"),
        failures);
  }

  @Test
  void shouldKeepAShareAsLongAsItIsUsed() {
    PeerShares shares = services.shares();
    PeerShares.Share first = shares.open("peer");
    assertSame(first, shares.open("peer"), "one for all paths");
    shares.close(first);
    TransferBuffer held = buffers.tryAllocate(1, "test", first.buffers(), null);
    assertNotNull(held);
    shares.close(first);
    assertEquals(1, shares.count(), "something of it is in use");
    assertSame(first, shares.open("peer"));

    held.release();
    shares.close(first);
    assertEquals(0, shares.count());
    assertNotSame(first, shares.open("peer"));
  }

  /** A message of a single peer. */
  private final class Message extends MessageAssembly {
    Message(PeerShares.Share share) {
      super(services, share);
    }

    @Nullable BodyTarget begin() {
      return begin(0, MESSAGE_BYTES);
    }

    @Nullable BodyTarget begin(int headersBytes, long payloadBytes) {
      BodyOpener opener =
          TestBodies.opener(
              services,
              this,
              submission -> {},
              new BodyTerms(
                  1,
                  false,
                  1,
                  BodyTerms.PATTERN_UNARY,
                  0,
                  0,
                  0,
                  headersBytes,
                  headersBytes + payloadBytes,
                  Protection.SEALED));
      return onHeaders(opener, new byte[headersBytes], payloadBytes);
    }

    @Override
    protected void onMessage(byte[] headers, byte[] payload) {
      throw new AssertionError("nothing was written");
    }

    @Override
    public void onFailed(CallOutcome outcome, String text) {
      failures.add(outcome + " " + text);
    }
  }
}
