package io.millrace.protocol.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.transfer.AnswerMemory;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedCalls;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.codec.CallStatus;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Challenges alone, against a model, and together with the window and the slots. */
class TransferChallengesTest {
  private static final Pattern SPACES = Pattern.compile(" +");
  private static final int MOST = TransferChallenges.MOST;
  private static final long LIFETIME_NS = TransferChallenges.LIFETIME_NS;
  private static final long INTERVAL_NS = TransferChallenges.OPENING_INTERVAL_NS;

  private static final String TABLE =
      """
      phase      CHALLENGE  SEND        LOSE  CONFIRM  RESET  FORGET
      FREE       DUE        -           -     -        -      -
      DUE        -          CHALLENGED  -     FREE     FREE   FREE
      CHALLENGED -          -           DUE   FREE     FREE   FREE
      """;

  private final TransferChallenges challenges = new TransferChallenges(1);

  @Test
  void shouldMoveAsTheTableSays() {
    for (ChallengePhase phase : ChallengePhase.values()) {
      String line = TABLE.lines().toList().get(1 + phase.ordinal()).strip();
      List<String> row = SPACES.splitAsStream(line).toList();
      assertEquals(phase.name(), row.getFirst());
      for (ChallengePhase.Event event : ChallengePhase.Event.values()) {
        ChallengePhase next = phase.after(event);
        assertEquals(row.get(1 + event.ordinal()), next == null ? "-" : next.name());
      }
    }
  }

  private long challenge(long id, long nowNs) {
    challenges.onPacket(nowNs);
    assertTrue(challenges.challenge(id));
    assertEquals(1, challenges.poll(MOST));
    assertEquals(id, challenges.polledId(0));
    return challenges.polledNonce();
  }

  @Test
  void shouldTakeAnAnswerOnceAndOnlyForItsQuestion() {
    long nonce = challenge(7, 0);
    assertFalse(challenges.challenge(7));
    assertFalse(challenges.onConfirmed(nonce + 1, 7));
    assertFalse(challenges.onConfirmed(nonce, 8));
    assertFalse(challenges.onReset(8));
    assertTrue(challenges.onConfirmed(nonce, 7));
    assertFalse(challenges.onConfirmed(nonce, 7));
    assertFalse(challenges.onReset(7));

    long other = challenge(7, 1);
    assertNotEquals(nonce, other);
    assertFalse(challenges.onConfirmed(nonce, 7));
    assertTrue(challenges.onReset(7));
    assertEquals(0, challenges.outstanding());
  }

  @Test
  void shouldAskAgainWhatWasLostAndIsNotAnswered() {
    challenges.onPacket(0);
    assertTrue(challenges.challenge(1));
    assertTrue(challenges.challenge(2));
    assertEquals(2, challenges.poll(MOST));
    long nonce = challenges.polledNonce();
    assertTrue(challenges.onConfirmed(nonce, 1));
    challenges.onLost(nonce + 1, -1, 10);
    assertFalse(challenges.isDue());
    challenges.onLost(nonce, -1, 10);
    assertEquals(1, challenges.poll(MOST));
    assertEquals(2, challenges.polledId(0));
    assertEquals(nonce, challenges.polledNonce());
    challenges.onLost(nonce, -1, LIFETIME_NS);
    assertFalse(challenges.isDue());
    assertEquals(1, challenges.forgotten());
  }

  @Test
  void shouldAskUnderOneNonceForEachPacket() {
    challenges.onPacket(0);
    assertTrue(challenges.challenge(1));
    assertTrue(challenges.challenge(2));
    challenges.onPacket(1);
    assertTrue(challenges.challenge(3));
    assertEquals(1, challenges.poll(1));
    long first = challenges.polledNonce();
    assertEquals(1, challenges.poll(MOST));
    assertEquals(first, challenges.polledNonce());
    assertEquals(1, challenges.poll(MOST));
    assertEquals(3, challenges.polledId(0));
    assertNotEquals(first, challenges.polledNonce());
  }

  @Test
  void shouldGiveThePlaceOfTheOldest() {
    for (int id = 1; id <= MOST; id++) {
      challenge(id, id);
    }
    challenges.onReset(5);
    challenge(100, 100);
    assertEquals(ChallengePhase.CHALLENGED, challenges.phase(1));
    challenge(101, 101);
    assertEquals(ChallengePhase.FREE, challenges.phase(1));
    assertEquals(ChallengePhase.CHALLENGED, challenges.phase(2));
    assertEquals(MOST, challenges.outstanding());
    challenges.onPacket(LIFETIME_NS + 50);
    assertEquals(ChallengePhase.FREE, challenges.phase(50));
    assertEquals(ChallengePhase.CHALLENGED, challenges.phase(51));
  }

  @Test
  void shouldOpenSomeInARowAndThenAtItsRate() {
    long nowNs = -5;
    for (int i = 0; i < TransferChallenges.MOST_OPENED_AT_ONCE; i++) {
      assertTrue(challenges.mayOpen(nowNs));
    }
    assertFalse(challenges.mayOpen(nowNs));
    assertFalse(challenges.mayOpen(nowNs + INTERVAL_NS - 1));
    assertTrue(challenges.mayOpen(nowNs + INTERVAL_NS));
    assertFalse(challenges.mayOpen(nowNs + INTERVAL_NS));
    int opened = 0;
    for (int us = 0; us < 1_000_000; us++) {
      opened += challenges.mayOpen(1_000_000_000 + us * 1_000L) ? 1 : 0;
    }
    assertEquals(1_000 + TransferChallenges.MOST_OPENED_AT_ONCE - 1, opened);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldDoAsTheModelDoes(long seed) {
    Random random = new Random(seed);
    Map<Long, long[]> model = new LinkedHashMap<>(); // id to time of creation
    Map<Long, Long> nonces = new LinkedHashMap<>();
    long nowNs = 0;
    for (int step = 0; step < 50_000; step++) {
      long id = 1L + random.nextInt(3 * MOST);
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          nowNs += 1 + random.nextInt((int) (LIFETIME_NS / 50));
          long now = nowNs;
          challenges.onPacket(nowNs);
          model.values().removeIf(made -> now - made[0] >= LIFETIME_NS);
          assertEquals(!model.containsKey(id), challenges.challenge(id));
          if (!model.containsKey(id) && model.size() == MOST) {
            model.remove(model.keySet().iterator().next());
          }
          model.putIfAbsent(id, new long[] {nowNs});
        }
        case 2 -> {
          int count = challenges.poll(1 + random.nextInt(4));
          for (int i = 0; i < count; i++) {
            nonces.put(challenges.polledId(i), challenges.polledNonce());
          }
        }
        case 3 -> {
          boolean isAsked = challenges.phase(id) == ChallengePhase.CHALLENGED;
          long nonce = nonces.getOrDefault(id, 0L);
          boolean isTaken = challenges.onConfirmed(nonce, id);
          assertTrue(isTaken || !isAsked);
          assertTrue(!isTaken || model.remove(id) != null);
        }
        case 4 -> assertEquals(model.remove(id) != null, challenges.onReset(id));
        default -> {
          long now = nowNs;
          long nonce = nonces.getOrDefault(id, 0L);
          challenges.onLost(nonce, -1, now);
        }
      }
      assertEquals(model.size(), challenges.outstanding());
      assertEquals(
          model.containsKey(id), challenges.phase(id) != ChallengePhase.FREE, "step " + step);
    }
    assertTrue(challenges.forgotten() > 0);
  }

  @Test
  void shouldThrowWhereTheTableHasADash() {
    assertThrows(IndexOutOfBoundsException.class, () -> challenges.polledId(MOST));
    assertEquals(0, challenges.poll(MOST));
    challenges.onPacket(0);
    for (int id = 1; id <= MOST; id++) {
      assertTrue(challenges.challenge(id));
    }
    assertFalse(challenges.challenge(MOST + 1), "one packet asks about no more");
  }

  /** The receiving end of a path, as far as replays concern the path. */
  private static final class Receiver implements ServedCall.Owner {
    final ReceivedPackets received = new ReceivedPackets();
    final ServedCalls served;
    final TransferChallenges challenges = new TransferChallenges(3);
    int executed;
    int refused;

    Receiver(int slots) {
      served = new ServedCalls(slots, new AnswerMemory(Long.MAX_VALUE), this);
    }

    /** Receives a packet that opens a transfer; returns whether the path took the packet. */
    boolean onPacket(long number, long transferId, long nowNs) {
      if (received.canAccept(number)) {
        received.onPacket(number, true, false, nowNs);
        switch (served.onRequest(transferId, 0)) {
          case NEW -> executed++;
          case DUPLICATE -> {}
          case STALE, BEYOND_LIMIT -> refused++;
        }
        return true;
      }
      if (received.isTooOld(number) && challenges.mayOpen(nowNs) && served.isAhead(transferId)) {
        challenges.onPacket(nowNs);
        challenges.challenge(transferId);
      }
      return false;
    }

    /** The peer receives its answer. */
    void answer(long transferId) {
      int slot = TransferId.slot(transferId);
      int generation = TransferId.generation(transferId);
      ServedCall call = served.find(slot, generation);
      assertNotNull(call);
      call.answer(CallStatus.OK.value(), 0, 0);
      served.onAnswered(call);
      assertTrue(served.onResponseAcknowledged(slot, generation));
    }

    @Override
    public void onAnswerDropped(ServedCall call) {}

    @Override
    public void onCausalAnswered(long transferId, boolean isWell) {}

    @Override
    public void onAnswerUnsendable(ServedCall call) {}
  }

  private static int[] permutation(int count) {
    Random random = new Random(5);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }

  /**
   * 200,000 transfers are open at once and their packets come in any order, nearly all below the
   * window. A transfer without a question counts as lost at the sender.
   */
  @ParameterizedTest
  @ValueSource(longs = {1_000_000, 10_000})
  void shouldServeEachOfATransferOnceInWhateverOrderTheyCome(long spacingNs) {
    int transfers = 200_000;
    Receiver receiver = new Receiver(transfers);
    int[] order = permutation(transfers);
    boolean[] arrived = new boolean[transfers];
    long next = transfers;
    long nowNs = 0;
    int repeatedWhenAsked = 0;
    int repeatedAsLost = 0;
    for (int slot : order) {
      nowNs += spacingNs;
      arrived[slot] |= receiver.onPacket(slot, TransferId.of(1, 1, slot), nowNs);
      while (receiver.challenges.isDue()) {
        assertEquals(1, receiver.challenges.poll(1));
        long id = receiver.challenges.polledId(0);
        assertTrue(receiver.challenges.onConfirmed(receiver.challenges.polledNonce(), id));
        assertTrue(receiver.onPacket(next++, id, nowNs));
        assertFalse(arrived[TransferId.slot(id)]);
        arrived[TransferId.slot(id)] = true;
        repeatedWhenAsked++;
      }
    }
    for (int slot = 0; slot < transfers; slot++) {
      if (!arrived[slot]) {
        repeatedAsLost++;
        assertTrue(receiver.onPacket(next++, TransferId.of(1, 1, slot), nowNs));
      }
    }
    assertEquals(transfers, receiver.executed);
    assertEquals(0, receiver.refused);
    assertTrue(repeatedWhenAsked > 0);
    assertEquals(spacingNs >= INTERVAL_NS, repeatedAsLost == 0);
    System.out.println(
        "one packet each "
            + spacingNs
            + " ns: "
            + repeatedWhenAsked
            + " sent again when asked, "
            + repeatedAsLost
            + " as lost");
  }

  /** Packets of ten million transfers; a hundredth of the packets is replayed long after. */
  @Test
  void shouldKeepTheSameMemoryOverTenMillionTransfers() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int slots = 1_024;
    long transfers = 10_000_000;
    long beginning = threads.getCurrentThreadAllocatedBytes();
    Receiver receiver = new Receiver(slots);
    long warm = 0;
    for (long number = 0; number < transfers; number++) {
      if (number == transfers / 100) {
        warm = threads.getCurrentThreadAllocatedBytes();
      }
      open(receiver, number, slots);
    }
    long later = threads.getCurrentThreadAllocatedBytes() - warm;
    System.out.println(
        transfers
            + " transfers over "
            + slots
            + " slots, "
            + receiver.challenges.forgotten()
            + " challenges forgotten: "
            + (warm - beginning)
            + " bytes of state made with the first "
            + transfers / 100
            + ", "
            + later
            + " bytes later");
    assertEquals(transfers, receiver.executed);
    assertEquals(0, receiver.refused);
    assertTrue(receiver.challenges.forgotten() > 10_000);
    assertTrue(later < 100_000, later + " bytes");
  }

  private static void open(Receiver receiver, long number, int slots) {
    int slot = (int) (number % slots);
    int generation = (int) (number / slots) + 1;
    long id = TransferId.of(1, generation, slot);
    long nowNs = number * 10_000;
    assertTrue(receiver.onPacket(number, id, nowNs));
    receiver.answer(id);
    if (number % 100 == 99 && number > 2 * ReceivedPackets.WINDOW) {
      // Each second replay looks as if 2^23 uses of its slot had passed.
      int captured = number % 200 == 199 ? generation + (1 << 22) : generation - 4;
      long old = TransferId.of(1, captured, slot);
      assertFalse(receiver.onPacket(number - ReceivedPackets.WINDOW, old, nowNs));
    }
  }

  @Test
  void shouldNotTakeAPacketOfHalfACycleAgoForNew() {
    Receiver receiver = new Receiver(4);
    int old = 5;
    int present = old + (1 << 23) + 1;
    assertTrue(receiver.onPacket(0, TransferId.of(1, old, 2), 0));
    assertTrue(receiver.onPacket(5_000, TransferId.of(1, old + (1 << 22), 2), 0));
    assertTrue(receiver.onPacket(10_000, TransferId.of(1, present, 2), 0));
    assertTrue(receiver.served.isAhead(TransferId.of(1, old, 2)), "its generation looks newer");
    int executed = receiver.executed;

    assertFalse(receiver.onPacket(0, TransferId.of(1, old, 2), 0));

    assertEquals(executed, receiver.executed);
    assertEquals(1, receiver.challenges.outstanding());
    assertTrue(receiver.challenges.onReset(TransferId.of(1, old, 2)));
  }

  @Test
  void shouldNotRepeatAnIdWithinTheWindow() {
    int generation = 1;
    int uses = 1;
    while ((generation = TransferId.nextGeneration(generation)) != 1) {
      uses++;
    }
    assertEquals((1 << 24) - 1, uses);
    assertTrue(uses > ReceivedPackets.WINDOW);
  }

  @Test
  void shouldKeepAnswersInOrderUntilThereIsNoRoom() {
    ChallengeAnswers answers = new ChallengeAnswers();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < ChallengeAnswers.MOST; i++) {
        assertTrue(answers.add(i, 100 + i, (i + round) % 3 == 0));
      }
      assertFalse(answers.add(1, 1, true));
      for (int i = 0; i < ChallengeAnswers.MOST; i++) {
        assertEquals(i, answers.nonce());
        assertEquals(100 + i, answers.transferId());
        assertEquals((i + round) % 3 == 0, answers.isOwn());
        answers.remove();
      }
      assertTrue(answers.isEmpty());
    }
  }
}
