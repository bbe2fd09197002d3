package io.millrace.samples.log.node;

import io.millrace.api.CallException;
import io.millrace.api.IntendedFailure;
import io.millrace.samples.log.core.Ballot;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An acceptor refuses a proposal, after the promise of a higher ballot. The exception fails the
 * call, and so all calls that depend on this call; the ballot travels in the text.
 */
final class RefusedException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1L;
  private static final Pattern TEXT = Pattern.compile("promised ballot (\\d{1,18}) of (\\d{1,9})");

  RefusedException(Ballot promised) {
    super("promised ballot " + promised.round() + " of " + promised.replica(), null, false, false);
  }

  /** Returns the ballot that made a peer refuse, if a call failed for this reason. */
  static Optional<Ballot> ballotOf(Throwable failure) {
    if (!(failure instanceof CallException call)) {
      return Optional.empty();
    }
    Matcher text = TEXT.matcher(call.peerCause().orElse(""));
    return text.find()
        ? Optional.of(new Ballot(Long.parseLong(text.group(1)), Integer.parseInt(text.group(2))))
        : Optional.empty();
  }
}
