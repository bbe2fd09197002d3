package io.millrace.api.actor;

import io.millrace.api.DeliveryOutcome;
import io.millrace.api.Destination;
import io.millrace.api.actor.CallReply.RecipientOutcome;
import io.millrace.api.actor.TransportCommand.Recipient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Who gets a broadcast; whom no transfer can be made to has failed before it begins. */
final class Recipients {
  private final List<Recipient> all;
  private final List<Destination> destinations = new ArrayList<>();
  private final Map<Integer, RecipientOutcome> failed = new HashMap<>();

  private Recipients(List<Recipient> all) {
    this.all = all;
  }

  /** Looks each of them up. */
  static Recipients of(List<Recipient> all, NamedPeers peers) {
    Recipients recipients = new Recipients(all);
    for (int i = 0; i < all.size(); i++) {
      Recipient each = all.get(i);
      try {
        recipients.destinations.add(
            new Destination(peers.peer(each.peer()), each.priority(), each.deadline()));
      } catch (RuntimeException e) {
        CallFailure told = CallFailure.of(e);
        recipients.failed.put(i, new RecipientOutcome(each.peer(), told.outcome(), 0, told.text()));
      }
    }
    return recipients;
  }

  /** Those that were found, in order. */
  List<Destination> destinations() {
    return destinations;
  }

  /** How it went to all of them, given how it went to {@link #destinations}. */
  List<RecipientOutcome> outcomes(List<DeliveryOutcome> delivered) {
    Iterator<DeliveryOutcome> next = delivered.iterator();
    List<RecipientOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      RecipientOutcome before = failed.get(i);
      outcomes.add(before == null ? outcome(all.get(i), next.next()) : before);
    }
    return outcomes;
  }

  private static RecipientOutcome outcome(Recipient recipient, DeliveryOutcome delivered) {
    return new RecipientOutcome(
        recipient.peer(), delivered.outcome(), delivered.bytes(), delivered.text());
  }
}
