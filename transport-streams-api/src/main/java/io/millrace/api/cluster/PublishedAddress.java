package io.millrace.api.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;

/**
 * How a member tells its handshake address: it is in the name of an actor that the receptionist
 * knows. No message is sent to that actor, so nothing is serialized and no answer is lost; the
 * receptionist forgets it when its member is removed. The name begins with the uid of the member's
 * life, so that an earlier life at the same address is never taken for a later one.
 */
final class PublishedAddress {
  static final ServiceKey<Nothing> KEY = ServiceKey.create(Nothing.class, "millrace");

  private static final char SEPARATOR = '-';

  /** What the actor is told: there is none. */
  enum Nothing {}

  private PublishedAddress() {}

  static Behavior<Nothing> behavior() {
    return Behaviors.ignore();
  }

  static String name(String address, long uid) {
    return Long.toUnsignedString(uid) + SEPARATOR + URLEncoder.encode(address, UTF_8);
  }

  /** Gives uid and address to {@code read}; nothing if another release wrote another name. */
  static void read(String name, BiConsumer<Long, String> read) {
    int end = name.indexOf(SEPARATOR);
    if (end > 0) {
      try {
        read.accept(
            Long.parseUnsignedLong(name, 0, end, 10),
            URLDecoder.decode(name.substring(end + 1), UTF_8));
      } catch (IllegalArgumentException e) {
        // Not of this release: its member is no peer.
      }
    }
  }
}
