package io.millrace.access;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The policy of {@code millrace.access}: a peer may use the routes that a rule allows, and nothing
 * else; without any rule every peer may do everything. Immutable, any thread.
 */
public final class AccessRules implements AccessPolicy {
  private static final String KEY = "key:";
  private static final String COMMON_NAME = "cn:";
  private static final String ANYBODY = "*";
  private static final String PRE_SHARED_KEY = "psk:";
  private static final int KEY_DIGITS = 64;

  private final List<Rule> rules;

  /**
   * Peers, and the permitted uses of routes.
   *
   * @param peers {@code *} for every peer that the handshake admits; {@code psk:} for peers of the
   *     pre-shared key; a DNS name, {@code *.} and a domain, or an IP address of the certificate;
   *     {@code cn:} and its common name; {@code key:} and the SHA-256 of its public key
   * @param routes names of routes, in which {@code *} stands for any letters
   * @param patterns how these routes may be used
   */
  public record Rule(List<String> peers, List<String> routes, Set<CallPattern> patterns) {
    /** Copies the lists. */
    public Rule {
      peers = List.copyOf(peers);
      routes = List.copyOf(routes);
      patterns = Set.copyOf(patterns);
    }

    private boolean isFor(PeerIdentity peer) {
      return peers.stream().anyMatch(pattern -> isPeer(pattern, peer));
    }

    private boolean allows(RouteUse use) {
      return patterns.contains(use.pattern())
          && routes.stream().anyMatch(pattern -> isRoute(pattern, use.route()));
    }
  }

  /** The policy of these rules. */
  public AccessRules(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  /** Whether the list of rules is empty; without a rule everything is allowed. */
  public boolean isEmpty() {
    return rules.isEmpty();
  }

  /** The fault in the pattern of a peer; empty for a well-formed pattern. */
  public static String problem(String peer) {
    if (peer.startsWith(KEY)) {
      String digits = peer.substring(KEY.length());
      return digits.length() == KEY_DIGITS
              && digits.chars().allMatch(c -> Character.digit(c, 16) >= 0)
          ? ""
          : "must have 64 hexadecimal digits, the SHA-256 of a public key, behind 'key:'";
    }
    if (peer.isBlank()) {
      return "must name a peer, not be empty";
    }
    if (peer.equals(COMMON_NAME)) {
      return "must have a name behind 'cn:'; most peers have none";
    }
    boolean isWide = peer.indexOf('*', peer.startsWith("*.") ? 1 : 0) >= 0;
    return !peer.startsWith(COMMON_NAME) && !peer.equals(ANYBODY) && isWide
        ? "has a star that is neither all of it nor its first label, as in *.db.example.org"
        : "";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessRules that && rules.equals(that.rules);
  }

  @Override
  public int hashCode() {
    return rules.hashCode();
  }

  /** For people: all rules. */
  @Override
  public String toString() {
    return rules.toString();
  }

  private static boolean isPeer(String pattern, PeerIdentity peer) {
    if (pattern.equals(ANYBODY)) {
      return true;
    }
    if (pattern.equals(PRE_SHARED_KEY)) {
      return peer.proof() == PeerIdentity.Proof.PRE_SHARED_KEY;
    }
    if (pattern.startsWith(KEY)) {
      return pattern.substring(KEY.length()).toLowerCase(Locale.ROOT).equals(peer.keySha256());
    }
    return pattern.startsWith(COMMON_NAME)
        ? pattern.substring(COMMON_NAME.length()).equalsIgnoreCase(peer.commonName())
        : peer.isNamed(pattern);
  }

  private static boolean isRoute(String pattern, String route) {
    String[] parts = pattern.split("\\*", -1);
    StringBuilder expression = new StringBuilder(Pattern.quote(parts[0]));
    for (int i = 1; i < parts.length; i++) {
      expression.append(".*").append(Pattern.quote(parts[i]));
    }
    return Pattern.compile(expression.toString(), Pattern.DOTALL).matcher(route).matches();
  }

  @Override
  public AccessDecision connect(PeerIdentity peer) {
    return rules.isEmpty() || rules.stream().anyMatch(rule -> rule.isFor(peer))
        ? AccessDecision.ALLOWED
        : AccessDecision.denied("no rule of millrace.access names " + peer);
  }

  @Override
  public AccessDecision call(PeerIdentity peer, RouteUse use) {
    return rules.isEmpty() || rules.stream().anyMatch(rule -> rule.isFor(peer) && rule.allows(use))
        ? AccessDecision.ALLOWED
        : AccessDecision.denied("no rule of millrace.access allows " + use + " to " + peer);
  }
}
