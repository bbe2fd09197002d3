package io.millrace.samples.served;

import io.millrace.access.AccessDecision;
import io.millrace.access.AccessPolicy;
import io.millrace.access.AccessRules;
import io.millrace.access.CallPattern;
import io.millrace.access.PeerIdentity;
import io.millrace.access.RouteUse;
import java.util.List;
import java.util.Set;

/** Lets some peers write files; each peer may read files and call all other routes. Any thread. */
public final class FileWriters implements AccessPolicy {
  private static final String FILE = ServedFiles.FILE.name();

  private final AccessRules writers;

  /**
   * The peers that may write.
   *
   * @param names as {@code peers} of {@code millrace.access}
   * @throws IllegalArgumentException with a sentence if a name means nothing
   */
  public FileWriters(List<String> names) {
    for (String name : names) {
      String problem = AccessRules.problem(name);
      if (!problem.isEmpty()) {
        throw new IllegalArgumentException("'" + name + "' " + problem);
      }
    }
    writers =
        new AccessRules(
            List.of(new AccessRules.Rule(names, List.of(FILE), Set.of(CallPattern.BULK_WRITE))));
  }

  @Override
  public AccessDecision call(PeerIdentity peer, RouteUse use) {
    boolean isWrite = use.pattern() == CallPattern.BULK_WRITE && use.route().equals(FILE);
    return !isWrite || writers.call(peer, use).isAllowed()
        ? AccessDecision.ALLOWED
        : AccessDecision.denied(peer + " may read the files of this node and write none");
  }
}
