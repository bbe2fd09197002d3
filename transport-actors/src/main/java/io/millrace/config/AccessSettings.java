package io.millrace.config;

import io.millrace.access.AccessRules;
import io.millrace.access.CallPattern;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Reads {@code millrace.access}: the peers that may connect, and the routes that these peers may
 * call.
 */
final class AccessSettings {
  private static final String PEERS = "peers";
  private static final String ROUTES = "routes";
  private static final String PATTERNS = "patterns";
  private static final Set<String> KEYS = Set.of(PEERS, ROUTES, PATTERNS);

  private AccessSettings() {}

  static AccessRules from(Section section) {
    return new AccessRules(
        section.blocks("rules", KEYS).stream().map(AccessSettings::rule).toList());
  }

  private static AccessRules.Rule rule(Section block) {
    List<String> peers = some(block, PEERS);
    for (String peer : peers) {
      String problem = AccessRules.problem(peer);
      if (!problem.isEmpty()) {
        throw new SettingsException(block.key(PEERS), "'" + peer + "' " + problem);
      }
    }
    return new AccessRules.Rule(
        peers,
        block.has(ROUTES) ? some(block, ROUTES) : List.of("*"),
        block.has(PATTERNS) ? patterns(block) : EnumSet.allOf(CallPattern.class));
  }

  private static List<String> some(Section block, String name) {
    List<String> values = block.stringOrStrings(name);
    if (values.isEmpty()) {
      throw new SettingsException(block.key(name), "must name at least one");
    }
    return values;
  }

  private static Set<CallPattern> patterns(Section block) {
    Set<CallPattern> patterns = EnumSet.noneOf(CallPattern.class);
    for (String text : some(block, PATTERNS)) {
      patterns.add(pattern(block, text));
    }
    return patterns;
  }

  private static CallPattern pattern(Section block, String text) {
    for (CallPattern pattern : CallPattern.values()) {
      if (pattern.text().equals(text)) {
        return pattern;
      }
    }
    throw new SettingsException(
        block.key(PATTERNS),
        "must be of unary, streaming-response, streaming-request, bidirectional, bulk-read and"
            + " bulk-write, not '"
            + text
            + "'");
  }
}
