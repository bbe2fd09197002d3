package io.millrace.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of {@code millrace.access}; rule X-1. */
class AccessRulesTest {
  private static final String KEY = "ab".repeat(32);
  private static final PeerIdentity NODE =
      new PeerIdentity(
          "10.0.0.1:7400",
          PeerIdentity.Proof.CERTIFICATE,
          true,
          List.of("r1.db.example.org", "*.wild.example.org"),
          List.of("10.0.0.1"),
          "the first",
          KEY);
  private static final PeerIdentity SHARED = PeerIdentity.ofPreSharedKey("10.0.0.1:7400");

  private static AccessRules rules(String list) {
    return TransportSettings.parse("millrace.access.rules = [" + list + "]").handshake().access();
  }

  private static boolean mayCall(String list, PeerIdentity peer, String route) {
    AccessRules rules = rules(list);
    boolean isAllowed = rules.call(peer, new RouteUse(route, CallPattern.BULK_READ)).isAllowed();
    assertTrue(!isAllowed || rules.connect(peer).isAllowed(), "who may call may connect");
    return isAllowed;
  }

  @Test
  void shouldAllowEverythingWithoutARule() {
    assertTrue(rules("").isEmpty());
    assertTrue(mayCall("", NODE, "any"));
    assertTrue(mayCall("", SHARED, "any"));
  }

  @ParameterizedTest
  @CsvSource({
    "*, true, true",
    "psk:, false, true",
    "R1.db.example.org, true, false",
    "*.db.example.org, true, false",
    "*.example.org, false, false",
    "db.example.org, false, false",
    "x.wild.example.org, false, false",
    "*.wild.example.org, true, false",
    "10.0.0.1, true, false",
    "10.0.0.2, false, false",
    "cn:the first, true, false",
    "the first, false, false",
    "key:abababababababababababababababababababababababababababababababab, true, false",
    "key:babababababababababababababababababababababababababababababababa, false, false",
  })
  void shouldKnowAPeerByWhatIsProved(String peer, boolean isNode, boolean isShared) {
    String rule = "{ peers = \"" + peer + "\" }";
    assertEquals(isNode, mayCall(rule, NODE, "any"));
    assertEquals(isShared, mayCall(rule, SHARED, "any"));
  }

  @ParameterizedTest
  @CsvSource({
    "orders, orders, true",
    "orders, orders.new, false",
    "orders.*, orders.new, true",
    "orders.*, orders, false",
    "*.new, orders.new, true",
    "o*n*w, orders.new, true",
    "o*n*w, orders.old, false",
    "a.c, abc, false",
    "*, any, true",
  })
  void shouldMatchRoutesByStars(String pattern, String route, boolean isAllowed) {
    String rule = "{ peers = [\"*\"], routes = [\"x\", \"" + pattern + "\"] }";
    assertEquals(isAllowed, mayCall(rule, NODE, route));
  }

  @Test
  void shouldAllowWhatOneOfTheRulesAllowsAndNothingElse() {
    AccessRules rules =
        rules(
            """
            { peers = ["10.0.0.1"], routes = ["a"], patterns = [unary, bulk-write] },
            { peers = ["*"], routes = ["b"], patterns = [bulk-read] }
            """);
    for (CallPattern pattern : CallPattern.values()) {
      boolean isOfA = pattern == CallPattern.UNARY || pattern == CallPattern.BULK_WRITE;
      assertEquals(isOfA, rules.call(NODE, new RouteUse("a", pattern)).isAllowed());
      assertEquals(false, rules.call(SHARED, new RouteUse("a", pattern)).isAllowed());
      assertEquals(
          pattern == CallPattern.BULK_READ,
          rules.call(SHARED, new RouteUse("b", pattern)).isAllowed());
    }
    AccessDecision denied = rules("{ peers = [\"r2\"] }").connect(NODE);
    assertEquals(
        "no rule of millrace.access names 10.0.0.1:7400 (certificate of r1.db.example.org)",
        denied.reason());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ }",
        "{ peers = [] }",
        "{ peers = [\"\"] }",
        "{ peers = [\"cn:\"] }",
        "{ peers = [\"a.*.org\"] }",
        "{ peers = [\"key:abc\"] }",
        "{ peers = [\"*\"], routes = [] }",
        "{ peers = [\"*\"], patterns = [stream] }",
        "{ peers = [\"*\"], rights = [\"x\"] }",
      })
  void shouldRefuseARuleThatMeansNothing(String rule) {
    SettingsException e = assertThrows(SettingsException.class, () -> rules(rule));
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("configuration key 'millrace.access.rules[0]"),
        e.getMessage());
  }
}
