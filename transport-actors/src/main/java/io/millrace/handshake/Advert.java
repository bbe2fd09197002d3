package io.millrace.handshake;

import io.millrace.crypto.AesKeySize;
import io.millrace.wire.PeerText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The offer of a node to a peer: immutable, any thread.
 *
 * @param worker the worker that this node gives to the peer, 0 to 255
 * @param incarnation random, new in each process of the node
 * @param inlineLimit inline bytes that the peer may send from the start, not negative
 * @param concurrentTransfers transfers that the peer may have open, not negative
 * @param maxDatagramBytes the largest datagram that this node receives, bytes, positive
 * @param keySize the shortest keys that the node takes for the path
 * @param headersBytes most bytes of headers that the node takes of a request or a response, not
 *     negative
 * @param credit the node's bounds on data on its way to the node
 * @param endpoints the endpoints of the node's workers, at most {@value #MAX_ENDPOINTS}
 * @param identity its handshake address, {@code host:port}, at most {@value #MAX_IDENTITY_BYTES}
 *     bytes of UTF-8 without control and format characters
 * @param host equal in the adverts of the nodes of one host, and different in the adverts of nodes
 *     of two hosts; 0 if unknown
 */
@SuppressWarnings("RecordComponentNumber") // the fields of the frame
public record Advert(
    int worker,
    long incarnation,
    long inlineLimit,
    int concurrentTransfers,
    int maxDatagramBytes,
    AesKeySize keySize,
    int headersBytes,
    CreditTerms credit,
    List<AdvertisedEndpoint> endpoints,
    String identity,
    long host) {
  /** The most endpoints. */
  public static final int MAX_ENDPOINTS = 64;

  /** The longest identity, bytes of UTF-8: a host name of 253, a colon and a port. */
  public static final int MAX_IDENTITY_BYTES = 260;

  /** The limit of a node that does not tell its limit of header bytes. */
  public static final int DEFAULT_HEADERS_BYTES = 16 << 10;

  /** The host of a node that does not tell its host. */
  public static final long UNKNOWN_HOST = 0;

  private static final int MAX_WORKER = 255;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException naming the value out of bounds
   */
  public Advert {
    require(worker >= 0 && worker <= MAX_WORKER, "a worker is 0 to 255");
    require(inlineLimit >= 0, "the inline limit is not negative");
    require(concurrentTransfers >= 0, "the number of transfers is not negative");
    require(maxDatagramBytes > 0, "the largest datagram is positive");
    require(headersBytes >= 0, "the limit of headers is not negative");
    require(endpoints.size() <= MAX_ENDPOINTS, "an advert has at most 64 endpoints");
    require(!identity.isEmpty(), "the identity is not empty");
    require(
        identity.getBytes(StandardCharsets.UTF_8).length <= MAX_IDENTITY_BYTES,
        "the identity is at most 260 bytes long");
    require(
        PeerText.isClean(identity) && identity.chars().noneMatch(Character::isWhitespace),
        "the identity has neither control or format characters nor blanks");
    endpoints = List.copyOf(endpoints);
  }

  /** The offer of a node that does not tell its host. */
  @SuppressWarnings("ParameterNumber") // the fields of the frame
  public Advert(
      int worker,
      long incarnation,
      long inlineLimit,
      int concurrentTransfers,
      int maxDatagramBytes,
      AesKeySize keySize,
      int headersBytes,
      CreditTerms credit,
      List<AdvertisedEndpoint> endpoints,
      String identity) {
    this(
        worker,
        incarnation,
        inlineLimit,
        concurrentTransfers,
        maxDatagramBytes,
        keySize,
        headersBytes,
        credit,
        endpoints,
        identity,
        UNKNOWN_HOST);
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
