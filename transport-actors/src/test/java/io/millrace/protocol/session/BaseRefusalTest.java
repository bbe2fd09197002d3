package io.millrace.protocol.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Rule M-6. */
class BaseRefusalTest {
  private static final int BASE = 1_200;
  private static final int LIMIT = 1_199;
  private static final long FAIL_AFTER_NS = 750;
  private static final long NEVER = Long.MAX_VALUE;

  private final BaseRefusal refusal = new BaseRefusal(BASE, FAIL_AFTER_NS);

  @Test
  void shouldEndAWhileAfterTheFirstPacketThatDoesNotLeave() {
    refusal.onLocalLimit(LIMIT);
    refusal.onPacketSent(LIMIT, 5);
    assertEquals(NEVER, refusal.deadlineNs(), "it leaves this host");
    refusal.onPacketSent(BASE, 10);
    refusal.onPacketSent(BASE, 500);
    refusal.onPacketAcked(LIMIT);
    assertEquals(10 + FAIL_AFTER_NS, refusal.deadlineNs());
    assertEquals(LIMIT, refusal.localBytes());
  }

  @Test
  void shouldSayNothingWhereTheBaseIsSent() {
    refusal.onPacketSent(BASE, 10);
    refusal.onLocalLimit(BASE);
    refusal.onPacketSent(BASE, 20);
    refusal.onPacketSent(BASE + 1, 30);
    assertEquals(NEVER, refusal.deadlineNs());
  }

  @Test
  void shouldForgetItOnceOneArrivesOrTheLimitRises() {
    refusal.onLocalLimit(LIMIT);
    refusal.onPacketSent(BASE, 10);
    refusal.onPacketAcked(BASE);
    assertEquals(NEVER, refusal.deadlineNs());
    refusal.onPacketSent(BASE, 20);
    refusal.onLocalLimit(1_472);
    assertEquals(NEVER, refusal.deadlineNs());
  }
}
