package io.millrace.handshake.quic;

import io.millrace.handshake.ProviderCard;
import io.millrace.handshake.SourceLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;

/**
 * Answers a node that asks for this node's handshake provider, and tells the listener of that node;
 * rule H-14. All other datagrams go on. The limits are of questions alone: nobody has proved the
 * address of a question, so questions must use up no room for connections. Event loop thread only.
 */
final class QuicCards extends ChannelInboundHandlerAdapter {
  private final QuicNode node;
  private final SourceLimits limits;

  QuicCards(QuicNode node, SourceLimits limits) {
    this.node = node;
    this.limits = limits;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    DatagramPacket datagram = (DatagramPacket) message;
    ByteBuf bytes = datagram.content();
    String theirs =
        bytes.readableBytes() == ProviderCard.QUESTION_BYTES
            ? ProviderCard.asking(bytes.nioBuffer())
            : null;
    if (theirs == null) {
      ctx.fireChannelRead(datagram);
      return;
    }
    if (limits.tryAcquire(datagram.sender().getAddress(), System.nanoTime())) {
      String refusal = ProviderCard.refusal(theirs, ProviderCard.QUIC);
      node.guarded(() -> node.listener().onRefused(datagram.sender(), refusal));
      byte[] answer = ProviderCard.answer(ProviderCard.QUIC);
      var _ =
          ctx.writeAndFlush(new DatagramPacket(Unpooled.wrappedBuffer(answer), datagram.sender()));
    }
    datagram.release();
  }
}
