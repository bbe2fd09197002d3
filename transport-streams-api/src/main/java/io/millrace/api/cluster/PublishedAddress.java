package io.millrace.api.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;

/**
 * Publishes a member's handshake address in the name of an actor registered with the receptionist.
 * The actor gets no messages, so the publication needs no serialization and no answer can be lost.
 * The receptionist forgets the actor when the cluster removes its member. The name begins with the
 * uid of the member's life. A reader thus never takes an earlier life at the same address for a
 * later life.
 */
final class PublishedAddress {
  static final ServiceKey<Nothing> KEY = ServiceKey.create(Nothing.class, "millrace");

  private static final char SEPARATOR = '-';

  /** The type of the actor's messages, without a value: the actor gets no messages. */
  enum Nothing {}

  private PublishedAddress() {}

  static Behavior<Nothing> behavior() {
    return Behaviors.ignore();
  }

  static String name(String address, long uid) {
    return Long.toUnsignedString(uid) + SEPARATOR + URLEncoder.encode(address, UTF_8);
  }

  /**
   * Passes uid and address to {@code read}; does nothing with a name in the format of another
   * release.
   */
  static void read(String name, BiConsumer<Long, String> read) {
    int end = name.indexOf(SEPARATOR);
    if (end > 0) {
      try {
        read.accept(
            Long.parseUnsignedLong(name, 0, end, 10),
            URLDecoder.decode(name.substring(end + 1), UTF_8));
      } catch (IllegalArgumentException e) {
        // The name is of another release: the member is no peer.
      }
    }
  }
}
