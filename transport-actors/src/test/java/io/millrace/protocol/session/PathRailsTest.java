package io.millrace.protocol.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each input in each situation where the input makes a difference; no clock, no network. */
final class PathRailsTest {
  private static final long MS = 1_000_000;
  private static final RailSettings SETTINGS = new RailSettings(100 * MS, 500 * MS, 60_000 * MS);

  /** Two NICs at each side, the best rail first: 0 and 3 share nothing, nor do 1 and 2. */
  private static final int[] LOCAL = {0, 0, 1, 1};

  private static final int[] REMOTE = {0, 1, 0, 1};
  private static final int NONE = -1;

  private final PathRails rails = rails(true);
  private long nowNs = 1_000 * MS;

  private PathRails rails(boolean isInitiator) {
    return new PathRails(LOCAL, REMOTE, isInitiator, SETTINGS, nowNs);
  }

  @Test
  void shouldBeginWithTheBestAndTellNothing() {
    assertEquals(0, rails.rail());
    assertEquals(0, rails.number());
    assertFalse(rails.isTellingDue());
    assertTrue(rails.hasRail());
    assertEquals(Long.MAX_VALUE, rails.nextDeadlineNs());
    assertEquals(NONE, rails.pollTry());
  }

  @Test
  void shouldBeginWithTheFirstThatTheDriverCanUse() {
    rails.start(0, nowNs);
    assertFalse(rails.isTellingDue());
    rails.start(2, nowNs);
    assertEquals(2, rails.rail());
    assertTrue(rails.isTellingDue());
    assertEquals(nowNs + 500 * MS, rails.nextDeadlineNs());
  }

  /** The NIC of each rail goes down, whichever is used. */
  @Test
  void shouldLeaveARailThatIsDownAndNoOther() {
    int[] next = {3, 2, 1, 0};
    for (int used = 0; used < LOCAL.length; used++) {
      for (int down = 0; down < LOCAL.length; down++) {
        PathRails path = rails(true);
        path.onPeer(1, used, nowNs);
        final long longAfterNs = nowNs + 600 * MS;
        boolean isMoved = path.onLocal(down, false, longAfterNs);
        assertEquals(used == down, isMoved, used + " used, " + down + " down");
        assertEquals(used == down ? next[used] : used, path.rail());
        assertEquals(isMoved ? 2 : 1, path.number());
        assertEquals(isMoved, path.isTellingDue());
        assertFalse(path.onLocal(down, false, longAfterNs), "it was down");
      }
    }
  }

  /** Rail by rail; the last refusal leaves the path on its rail, for no rail is left. */
  @Test
  void shouldLeaveEachRefusedRailUntilNoneIsLeft() {
    List<Integer> used = new ArrayList<>(List.of(rails.rail()));
    while (used.size() <= LOCAL.length && rails.onRefused(nowNs)) {
      assertTrue(rails.isTellingDue());
      used.add(rails.rail());
      nowNs += MS;
    }
    assertEquals(List.of(0, 3, 1, 2), used);
    assertEquals(3, rails.number());
    assertFalse(rails.onRefused(nowNs), "a further refusal moves nothing");
    assertEquals(2, rails.rail());
    nowNs += 500 * MS;
    assertTrue(rails.onRefused(nowNs), "the other rails are free again");
    assertEquals(1, rails.rail(), "shares no end with the refused rail");
  }

  @Test
  void shouldCountARailThatIsDownAsNotLeft() {
    for (int down = 1; down < LOCAL.length; down++) {
      rails.onLocal(down, false, nowNs);
    }
    assertFalse(rails.onRefused(nowNs));
    assertEquals(0, rails.rail());
    rails.onLocal(2, true, nowNs);
    assertTrue(rails.onRefused(nowNs), "the rail is held, but nobody refused there");
    assertEquals(2, rails.rail());
  }

  /** A silent rail may come back; a refused rail says that nobody is there. */
  @Test
  void shouldPreferAHeldRailToARefusedOne() {
    assertTrue(rails.onRefused(nowNs));
    assertEquals(3, rails.rail());
    nowNs += MS;
    assertTrue(rails.onSilence(nowNs));
    assertEquals(1, rails.rail());
    nowNs += MS;
    assertTrue(rails.onSilence(nowNs));
    assertEquals(2, rails.rail());
    nowNs += MS;
    assertTrue(rails.onSilence(nowNs));
    assertEquals(3, rails.rail(), "held longer than rail 0");
  }

  @Test
  void shouldTryARefusedRailAgainWithAPacket() {
    rails.onRefused(nowNs);
    nowNs += 500 * MS;
    assertEquals(nowNs, rails.nextDeadlineNs());
    rails.onDeadline(nowNs);
    assertEquals(0, rails.pollTry());
    assertTrue(rails.onTryAnswered(0, nowNs));
    assertEquals(0, rails.rail());
    assertTrue(rails.onRefused(nowNs), "the answer has ended the past of the rail");
  }

  @Test
  void shouldStayWhereItIsWhenNoRailIsUpAndTakeTheFirstThatComesBack() {
    rails.onLocal(3, false, nowNs);
    rails.onLocal(2, false, nowNs);
    rails.onLocal(1, false, nowNs);
    assertTrue(rails.hasRail());
    assertFalse(rails.onLocal(0, false, nowNs));
    assertFalse(rails.hasRail());
    assertEquals(0, rails.rail());
    assertFalse(rails.onSilence(nowNs), "there is no other");
    assertTrue(rails.onLocal(2, true, nowNs));
    assertTrue(rails.hasRail());
    assertEquals(2, rails.rail());
    assertFalse(rails.onLocal(1, true, nowNs), "the one in use is up");
    assertEquals(2, rails.rail());
  }

  @Test
  void shouldGoOnByTheRailThatCameBackIfItWasInUse() {
    for (int rail = 0; rail < LOCAL.length; rail++) {
      rails.onLocal(rail, false, nowNs);
    }
    int used = rails.rail();
    long number = rails.number();
    assertFalse(rails.onLocal(used, true, nowNs));
    assertEquals(used, rails.rail());
    assertEquals(number, rails.number());
  }

  @Test
  void shouldLeaveASilentRailForOneApart() {
    assertTrue(rails.onSilence(nowNs));
    assertEquals(3, rails.rail());
    assertEquals(1, rails.number());
    assertTrue(rails.isTellingDue());
    // The other rails are held: these rails share an end with the failed rail. The first held rail
    // is next.
    assertTrue(rails.onSilence(nowNs));
    assertEquals(0, rails.rail());
  }

  @Test
  void shouldTakeTheOneHeldTheShortestWhenAllAreHeld() {
    rails.onSilence(nowNs);
    rails.onSilence(nowNs + MS);
    assertEquals(0, rails.rail());
    // Rails 0, 1 and 2 are held until 500; rail 3 until 501.
    assertTrue(rails.onSilence(nowNs + 2 * MS));
    assertEquals(1, rails.rail());
  }

  @Test
  void shouldStayOnItsOnlyRail() {
    PathRails one = new PathRails(new int[1], new int[1], true, SETTINGS, nowNs);
    assertFalse(one.onSilence(nowNs));
    assertFalse(one.onLocal(0, false, nowNs));
    assertFalse(one.hasRail());
    assertFalse(one.onLocal(0, true, nowNs));
    assertTrue(one.hasRail());
    assertEquals(0, one.number());
    assertFalse(one.isTellingDue());
  }

  /**
   * The effect of a peer's message, by the message's number, the rail, and the role of the peer.
   */
  @Test
  void shouldFollowThePeerWithTheHigherNumberAndTheInitiatorWithTheSame() {
    for (boolean isInitiator : new boolean[] {true, false}) {
      for (int number = 0; number <= 2; number++) {
        for (int rail = 0; rail < LOCAL.length; rail++) {
          PathRails path = rails(isInitiator);
          path.onSilence(nowNs);
          boolean isFollowed = number > 1 || (number == 1 && !isInitiator && rail != 3);
          boolean isMoved = path.onPeer(number, rail, nowNs);
          String what = isInitiator + ", " + number + ", " + rail;
          assertEquals(isFollowed && rail != 3, isMoved, what);
          assertEquals(isFollowed ? rail : 3, path.rail(), what);
          assertEquals(Math.max(1, number), path.number(), what);
          assertEquals(!isFollowed, path.isTellingDue(), what);
        }
      }
    }
  }

  @Test
  void shouldSendThePeerElsewhereWhenItCannotBeFollowed() {
    rails.onLocal(3, false, nowNs);
    assertFalse(rails.onPeer(1, 3, nowNs), "it was on the best and is there now");
    assertEquals(0, rails.rail());
    assertEquals(2, rails.number());
    assertTrue(rails.isTellingDue());
    rails.onTold();
    assertFalse(rails.onPeer(3, NONE, nowNs));
    assertEquals(4, rails.number());
    assertTrue(rails.isTellingDue());
  }

  /** A side without a rail of its own choice must be where the peer believes the side to be. */
  @Test
  void shouldAgreeWithThePeerWhenNothingIsUp() {
    for (int rail = 0; rail < LOCAL.length; rail++) {
      rails.onLocal(rail, false, nowNs);
    }
    assertTrue(rails.onPeer(rails.number() + 1, 2, nowNs));
    assertEquals(2, rails.rail());
    rails.onTold();
    assertFalse(rails.onPeer(rails.number() + 1, NONE, nowNs));
    assertEquals(2, rails.rail());
    assertTrue(rails.isTellingDue());
    assertTrue(rails.onLocal(1, true, nowNs));
    assertEquals(1, rails.rail());
  }

  /** The peer knows the reason for leaving these rails. */
  @Test
  void shouldLeaveAloneWhatThePeerLeft() {
    assertTrue(rails.onPeer(1, 3, nowNs));
    assertEquals(nowNs + 500 * MS, rails.nextDeadlineNs());
    rails.onDeadline(nowNs + 499 * MS);
    assertEquals(NONE, rails.pollTry());
    rails.onDeadline(nowNs + 500 * MS);
    assertEquals(0, rails.pollTry());
  }

  @Test
  void shouldTellAgainWhatWasLostUnlessItIsOld() {
    rails.onSilence(nowNs);
    rails.onTold();
    assertFalse(rails.isTellingDue());
    rails.onTellingLost(0);
    assertFalse(rails.isTellingDue());
    rails.onTellingLost(1);
    assertTrue(rails.isTellingDue());
    rails.onTold();
    rails.insist();
    assertTrue(rails.isTellingDue());
    assertEquals(2, rails.number());
  }

  @Test
  void shouldGoBackWhenATryIsAnswered() {
    rails.onSilence(nowNs);
    assertEquals(nowNs + 500 * MS, rails.nextDeadlineNs());
    nowNs += 500 * MS;
    rails.onDeadline(nowNs);
    assertEquals(nowNs + 100 * MS, rails.nextDeadlineNs());
    assertEquals(0, rails.pollTry());
    assertEquals(NONE, rails.pollTry(), "one packet");
    assertFalse(rails.onTryAnswered(1, nowNs), "another one was tried");
    assertEquals(3, rails.rail());
    assertTrue(rails.onTryAnswered(0, nowNs));
    assertEquals(0, rails.rail());
    assertEquals(2, rails.number());
    assertTrue(rails.isTellingDue());
    assertFalse(rails.onTryAnswered(0, nowNs), "it was answered");
    assertEquals(Long.MAX_VALUE, rails.nextDeadlineNs());
  }

  @Test
  void shouldHoldARailLongerWhoseTryIsNotAnswered() {
    rails.onSilence(nowNs);
    rails.onDeadline(nowNs + 500 * MS);
    rails.onDeadline(nowNs + 599 * MS);
    assertEquals(nowNs + 600 * MS, rails.nextDeadlineNs());
    rails.onDeadline(nowNs + 600 * MS);
    assertFalse(rails.onTryAnswered(0, nowNs + 601 * MS), "too late");
    // 0 failed twice; 1 and 2 are free meanwhile.
    rails.onDeadline(nowNs + 600 * MS);
    assertEquals(1, rails.pollTry());
    assertTrue(rails.onTryAnswered(1, nowNs + 610 * MS));
    assertEquals(nowNs + 1_600 * MS, rails.nextDeadlineNs());
  }

  @Test
  void shouldForgetATryWhoseRailGoesDown() {
    rails.onSilence(nowNs);
    rails.onDeadline(nowNs + 500 * MS);
    rails.onLocal(0, false, nowNs + 510 * MS);
    assertFalse(rails.onTryAnswered(0, nowNs + 520 * MS));
    assertEquals(3, rails.rail());
  }

  @Test
  void shouldTryNoRailThatIsDown() {
    rails.onLocal(0, false, nowNs);
    rails.onLocal(1, false, nowNs);
    rails.onLocal(2, false, nowNs);
    assertEquals(Long.MAX_VALUE, rails.nextDeadlineNs());
    rails.onDeadline(nowNs + 60_000 * MS);
    assertEquals(NONE, rails.pollTry());
  }

  @Test
  void shouldHoldANicThatFlapsLongerEachTime() {
    PathRails two = new PathRails(new int[] {0, 1}, new int[] {0, 0}, true, SETTINGS, nowNs);
    List<Long> awayMs = new ArrayList<>();
    for (int flap = 0; flap < 10; flap++) {
      assertTrue(two.onLocal(0, false, nowNs));
      assertEquals(1, two.rail());
      assertFalse(two.onLocal(0, true, nowNs + 10 * MS), "it comes up, and is not believed yet");
      long leftNs = nowNs;
      nowNs = two.nextDeadlineNs();
      two.onDeadline(nowNs);
      assertEquals(0, two.pollTry());
      assertTrue(two.onTryAnswered(0, nowNs));
      awayMs.add((nowNs - leftNs) / MS);
      nowNs += 20 * MS;
    }
    assertEquals(
        List.of(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L),
        awayMs);
    nowNs += 60_000 * MS;
    two.onLocal(0, false, nowNs);
    two.onLocal(0, true, nowNs);
    assertEquals(nowNs + 500 * MS, two.nextDeadlineNs(), "it has served for long");
  }

  /**
   * Whatever happens at both sides and whatever is lost: in the end both sides use the same rail.
   */
  @Test
  void shouldAgreeInTheEnd() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      Side[] sides = {new Side(true, nowNs), new Side(false, nowNs)};
      long timeNs = nowNs;
      for (int step = 0; step < 60; step++) {
        timeNs += (long) (random.nextDouble() * 300 * MS);
        Side side = sides[random.nextInt(2)];
        side.onAny(random, timeNs);
        side.tell(sides, timeNs, random.nextInt(3) > 0);
      }
      for (Side side : sides) {
        for (int rail = 0; rail < LOCAL.length; rail++) {
          side.rails.onLocal(rail, true, timeNs);
        }
      }
      int rounds = 0;
      while (sides[0].rails.isTellingDue() || sides[1].rails.isTellingDue()) {
        sides[0].tell(sides, timeNs, true);
        sides[1].tell(sides, timeNs, true);
        assertTrue(rounds++ < 10, "seed " + seed + ": no end");
      }
      assertEquals(sides[0].rails.rail(), sides[1].rails.rail(), "seed " + seed);
      assertEquals(sides[0].rails.number(), sides[1].rails.number(), "seed " + seed);
    }
  }

  /** A side; the other side has the ends of each rail the other way round. */
  private static final class Side {
    private final boolean isInitiator;
    private final PathRails rails;

    Side(boolean isInitiator, long nowNs) {
      this.isInitiator = isInitiator;
      rails =
          new PathRails(
              isInitiator ? LOCAL : REMOTE,
              isInitiator ? REMOTE : LOCAL,
              isInitiator,
              SETTINGS,
              nowNs);
    }

    void onAny(Random random, long timeNs) {
      switch (random.nextInt(5)) {
        case 0 -> rails.onLocal(random.nextInt(4), false, timeNs);
        case 1 -> rails.onLocal(random.nextInt(4), true, timeNs);
        case 2 -> rails.onSilence(timeNs);
        case 3 -> {
          rails.onDeadline(timeNs);
          int tried = rails.pollTry();
          if (tried >= 0 && random.nextBoolean()) {
            rails.onTryAnswered(tried, timeNs);
          }
        }
        default -> {}
      }
    }

    /** Sends a due message to the other side; the sender learns of a loss. */
    void tell(Side[] sides, long timeNs, boolean arrives) {
      if (!rails.isTellingDue()) {
        return;
      }
      long number = rails.number();
      rails.onTold();
      if (arrives) {
        sides[isInitiator ? 1 : 0].rails.onPeer(number, rails.rail(), timeNs);
      } else {
        rails.onTellingLost(number);
      }
    }
  }

  /** The driver cannot use the only other rail: a refusal must find that no rail is left. */
  @Test
  void shouldLeaveForARailThatTheDriverCannotUseOnceOnly() {
    PathRails two = new PathRails(new int[] {0, 1}, new int[] {0, 1}, true, SETTINGS, nowNs);
    assertTrue(two.onRefused(nowNs));
    assertEquals(1, two.rail());
    assertTrue(two.onUnusable(nowNs));
    assertEquals(0, two.rail());

    assertFalse(two.onRefused(nowNs + MS));
  }
}
