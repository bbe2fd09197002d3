package io.millrace.handshake.quic;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;

/**
 * Stands before the codec and drops, without an answer, datagrams that no Millrace node sends:
 * datagrams of another version of QUIC, first packets in datagrams of less than 1,200 bytes, and
 * datagrams too short for a packet. So the codec never negotiates versions, and no answer to an
 * unvalidated address is longer than the answered datagram. Event loop thread only.
 */
final class QuicGate extends ChannelInboundHandlerAdapter {
  /** The shortest datagram that may open a connection (RFC 9000, section 14.1), bytes. */
  static final int MIN_INITIAL_BYTES = 1_200;

  private static final int LONG_FORM = 0x80;
  private static final int TYPE_MASK = 0x30;
  private static final int VERSION_1 = 1;
  private static final int LONG_HEADER_BYTES = 7;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    DatagramPacket datagram = (DatagramPacket) message;
    if (isPlausible(datagram.content())) {
      ctx.fireChannelRead(datagram);
    } else {
      datagram.release();
    }
  }

  /** Whether the codec may see the datagram; reads no byte beyond its end. */
  static boolean isPlausible(ByteBuf datagram) {
    int length = datagram.readableBytes();
    if (length < LONG_HEADER_BYTES) {
      return false;
    }
    int start = datagram.readerIndex();
    int first = datagram.getUnsignedByte(start);
    if ((first & LONG_FORM) == 0) {
      return true;
    }
    boolean initial = (first & TYPE_MASK) == 0;
    return datagram.getInt(start + 1) == VERSION_1 && (!initial || length >= MIN_INITIAL_BYTES);
  }
}
