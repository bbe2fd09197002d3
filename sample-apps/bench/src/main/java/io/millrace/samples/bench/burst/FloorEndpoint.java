package io.millrace.samples.bench.burst;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.util.ArrayDeque;
import org.agrona.collections.Long2LongHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint of the floor: seals and sends, receives and opens, and nothing else. A datagram has a
 * number in the clear, then the call, the address for the answer, the number of wanted answer
 * bytes, and the payload. The key is public: the sealed bytes are worth no secrecy. Used by one
 * thread.
 */
final class FloorEndpoint implements CompletionHandler {
  /** Bytes around the payload of a datagram. */
  static final int OVERHEAD_BYTES = 8 + 8 + 8 + 4 + 16;

  /** Calls under way at once, so few that the responses fit the usual queue of the bottleneck. */
  private static final int WINDOW = 400;

  private static final int NUMBER_BYTES = 8;
  private static final int TAG_BYTES = 16;
  private static final int CALL_AT = 8;
  private static final int ADDRESS_AT = 16;
  private static final int WANTED_AT = 24;
  private static final int PAYLOAD_AT = 28;
  private static final int ANSWER = -1;
  private static final int SLOTS = 4_096;
  private static final int SLOT_MASK = SLOTS - 1;
  private static final int DATAGRAMS_AT_ONCE = 32;
  private static final int USUAL_BYTES = 1_024;
  private static final long UNKNOWN = -1;

  private final Endpoint endpoint;
  private final long ownAddress;
  private final PacketCipher opener = cipher(CipherUse.OPEN);
  private final Long2LongHashMap destinations = new Long2LongHashMap(UNKNOWN);
  private final ArrayDeque<Call> waiting = new ArrayDeque<>();
  private final BurstCaller.@Nullable Ending[] endings = new BurstCaller.Ending[SLOTS];
  private PacketCipher sealer = cipher(CipherUse.SEAL);
  private long sent;
  private long calls;
  private int inFlight;
  private boolean hasBegun;

  /** A call that waits for the window. */
  private record Call(long target, byte[] request, BurstCaller.Ending ending) {}

  FloorEndpoint(Endpoint endpoint) {
    this.endpoint = endpoint;
    ownAddress = number(endpoint.localAddress());
  }

  private static PacketCipher cipher(CipherUse use) {
    AeadProvider provider = AeadProviders.discover().select(USUAL_BYTES);
    byte[] material = new byte[AesKeySize.AES_128.bytes() + AeadKey.IV_LENGTH];
    try (AeadKey key = new AeadKey(material)) {
      return provider.cipher(key, use, KeyLimits.DEFAULT);
    }
  }

  /** An IPv4 address and port as a number. */
  private static long number(EndpointAddress address) {
    long number = 0;
    for (byte each : address.bytes()) {
      number = (number << Byte.SIZE) | (each & 0xFF);
    }
    return number;
  }

  private static EndpointAddress address(long number) {
    byte[] bytes = new byte[Integer.BYTES + Short.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (number >>> (Byte.SIZE * (bytes.length - 1 - i)));
    }
    return new EndpointAddress("udp", bytes);
  }

  /** The address as text. */
  String text() {
    return Long.toString(ownAddress);
  }

  /** The descriptor of the socket, without the driver's watch of the link. */
  int[] arrivals() {
    int[] descriptors = endpoint.arrivalDescriptors();
    if (descriptors == null) {
      throw new IllegalStateException("the driver has nothing to wait for");
    }
    return new int[] {descriptors[0]};
  }

  /** Adds a call, which leaves with the next {@link #transmit}. */
  void add(String target, byte[] request, BurstCaller.Ending ending) {
    waiting.add(new Call(Long.parseLong(target), request, ending));
    hasBegun = true;
  }

  /** Takes the datagrams that have come, and answers. */
  void receive() {
    endpoint.poll(this, DATAGRAMS_AT_ONCE);
    hasBegun = true;
  }

  /** Sends answers, and calls as far as the window allows. */
  void transmit() {
    if (!hasBegun) {
      return;
    }
    hasBegun = false;
    while (inFlight < WINDOW && !waiting.isEmpty()) {
      SendBuffer buffer = endpoint.acquireSendBuffer();
      if (buffer == null) {
        endpoint.flush();
        endpoint.poll(this, DATAGRAMS_AT_ONCE);
        continue;
      }
      Call call = waiting.remove();
      long id = calls++;
      endings[(int) id & SLOT_MASK] = call.ending();
      inFlight++;
      buffer.buffer().putBytes(PAYLOAD_AT, call.request());
      send(
          buffer,
          call.target(),
          id,
          BurstCaller.answerBytes(call.request()),
          call.request().length);
    }
    endpoint.flush();
  }

  private void send(SendBuffer buffer, long target, long call, int wanted, int payloadBytes) {
    SegmentBuffer packet = buffer.buffer();
    long number = ++sent;
    packet.putLong(0, number);
    packet.putLong(CALL_AT, call);
    packet.putLong(ADDRESS_AT, ownAddress);
    packet.putInt(WANTED_AT, wanted);
    int body = PAYLOAD_AT - NUMBER_BYTES + payloadBytes;
    if (!sealer.canSeal(NUMBER_BYTES + body)) {
      sealer.close();
      sealer = cipher(CipherUse.SEAL);
    }
    sealer.seal(packet, 0, NUMBER_BYTES, body, number);
    int length = PAYLOAD_AT + payloadBytes + TAG_BYTES;
    endpoint.postSend(destination(target), buffer, length, length, 0);
  }

  private int destination(long target) {
    long known = destinations.get(target);
    if (known != UNKNOWN) {
      return (int) known;
    }
    try {
      int destination = endpoint.resolve(address(target));
      destinations.put(target, destination);
      return destination;
    } catch (DriverException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    int body = length - NUMBER_BYTES - TAG_BYTES;
    if (body < PAYLOAD_AT - NUMBER_BYTES
        || !opener.open(buffer, offset, NUMBER_BYTES, body, buffer.getLong(offset))) {
      return;
    }
    long call = buffer.getLong(offset + CALL_AT);
    int wanted = buffer.getInt(offset + WANTED_AT);
    if (wanted == ANSWER) {
      onAnswer((int) call & SLOT_MASK);
      return;
    }
    SendBuffer answer = endpoint.acquireSendBuffer();
    if (answer != null) {
      send(answer, buffer.getLong(offset + ADDRESS_AT), call, ANSWER, wanted);
    }
  }

  private void onAnswer(int slot) {
    BurstCaller.Ending ending = endings[slot];
    if (ending != null) {
      endings[slot] = null;
      inFlight--;
      ending.onEnd(BurstCaller.End.DONE);
    }
  }
}
