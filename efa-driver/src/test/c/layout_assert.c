/*
 * Compares the Java constants of the binding with the installed headers of libfabric. Never linked
 * or run: gcc -fsyntax-only evaluates the assertions. LayoutTest generates the definitions that
 * start with JAVA_ from the constants themselves and passes them with -include, and it fails when a
 * constant is not listed here.
 */
#include <stddef.h>
#include <sys/uio.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_ext.h>
#include <rdma/fi_rma.h>

#define AT(type, field) \
  _Static_assert(offsetof(struct type, field) == JAVA_##type##_##field, "offset of " #type "." #field)
#define SIZE(type) _Static_assert(sizeof(struct type) == JAVA_##type##_sizeof, "size of " #type)
#define VALUE(name) \
  _Static_assert((unsigned long long)(name) == (unsigned long long)(JAVA_##name), "value of " #name)

AT(fi_info, next);
AT(fi_info, caps);
AT(fi_info, mode);
AT(fi_info, addr_format);
AT(fi_info, tx_attr);
AT(fi_info, rx_attr);
AT(fi_info, ep_attr);
AT(fi_info, domain_attr);
AT(fi_info, fabric_attr);
AT(fi_info, nic);

AT(fi_tx_attr, op_flags);
AT(fi_tx_attr, inject_size);
AT(fi_tx_attr, size);

AT(fi_rx_attr, size);

AT(fi_ep_attr, type);
AT(fi_ep_attr, max_msg_size);

AT(fi_domain_attr, threading);
AT(fi_domain_attr, control_progress);
AT(fi_domain_attr, data_progress);
AT(fi_domain_attr, mr_mode);
AT(fi_domain_attr, mr_key_size);
AT(fi_domain_attr, cq_data_size);

AT(fi_fabric_attr, name);
AT(fi_fabric_attr, prov_name);

AT(fid_nic, link_attr);

AT(fi_link_attr, mtu);

AT(fid, ops);

AT(fi_ops, size);
AT(fi_ops, close);
AT(fi_ops, bind);
AT(fi_ops, control);

AT(fid_fabric, ops);

AT(fi_ops_fabric, domain);
AT(fi_ops_fabric, eq_open);

AT(fid_domain, ops);
AT(fid_domain, mr);

AT(fi_ops_domain, av_open);
AT(fi_ops_domain, cq_open);
AT(fi_ops_domain, endpoint);

AT(fi_ops_mr, reg);

AT(fid_mr, mem_desc);
AT(fid_mr, key);

AT(fid_av, ops);

AT(fi_ops_av, insert);
AT(fi_ops_av, remove);

AT(fi_av_attr, type);
AT(fi_av_attr, count);
SIZE(fi_av_attr);

AT(fid_cq, ops);

AT(fi_ops_cq, read);
AT(fi_ops_cq, readerr);

AT(fi_cq_attr, size);
AT(fi_cq_attr, format);
AT(fi_cq_attr, wait_obj);
SIZE(fi_cq_attr);

AT(fi_cq_data_entry, op_context);
AT(fi_cq_data_entry, flags);
AT(fi_cq_data_entry, len);
AT(fi_cq_data_entry, data);
SIZE(fi_cq_data_entry);

AT(fi_cq_err_entry, op_context);
AT(fi_cq_err_entry, flags);
AT(fi_cq_err_entry, err);
AT(fi_cq_err_entry, prov_errno);

AT(fid_eq, ops);

AT(fi_ops_eq, read);
AT(fi_ops_eq, readerr);

AT(fi_eq_attr, wait_obj);
SIZE(fi_eq_attr);

AT(fid_ep, ops);
AT(fid_ep, cm);
AT(fi_ops_ep, setopt);
AT(fid_ep, msg);
AT(fid_ep, rma);

AT(fi_ops_cm, getname);

AT(fi_ops_msg, recv);
AT(fi_ops_msg, send);

AT(fi_ops_rma, writemsg);

AT(fi_msg_rma, msg_iov);
AT(fi_msg_rma, desc);
AT(fi_msg_rma, iov_count);
AT(fi_msg_rma, addr);
AT(fi_msg_rma, rma_iov);
AT(fi_msg_rma, rma_iov_count);
AT(fi_msg_rma, context);
AT(fi_msg_rma, data);
SIZE(fi_msg_rma);

AT(fi_rma_iov, addr);
AT(fi_rma_iov, len);
AT(fi_rma_iov, key);
SIZE(fi_rma_iov);

AT(iovec, iov_base);
AT(iovec, iov_len);
SIZE(iovec);

SIZE(fi_context2);

VALUE(FI_MSG);
VALUE(FI_RMA);
VALUE(FI_WRITE);
VALUE(FI_RECV);
VALUE(FI_SEND);
VALUE(FI_TRANSMIT);
VALUE(FI_REMOTE_WRITE);
VALUE(FI_REMOTE_CQ_DATA);
VALUE(FI_COMPLETION);
VALUE(FI_DELIVERY_COMPLETE);
VALUE(FI_SOURCE);
VALUE(FI_CONTEXT);
VALUE(FI_CONTEXT2);
VALUE(FI_MR_LOCAL);
VALUE(FI_MR_VIRT_ADDR);
VALUE(FI_MR_ALLOCATED);
VALUE(FI_MR_PROV_KEY);
VALUE(FI_MR_ENDPOINT);
VALUE(FI_EP_RDM);
VALUE(FI_THREAD_DOMAIN);
VALUE(FI_PROGRESS_UNSPEC);
VALUE(FI_PROGRESS_MANUAL);
VALUE(FI_AV_TABLE);
VALUE(FI_CQ_FORMAT_DATA);
VALUE(FI_WAIT_NONE);
VALUE(FI_ENABLE);
VALUE(FI_OPT_ENDPOINT);
VALUE(FI_OPT_EFA_RNR_RETRY);
VALUE(FI_SOCKADDR_IN);
VALUE(FI_SOCKADDR_IN6);
VALUE(FI_ADDR_STR);
VALUE(FI_ADDR_EFA);

VALUE(FI_EPERM);
VALUE(FI_ENOENT);
VALUE(FI_EAGAIN);
VALUE(FI_ENOMEM);
VALUE(FI_EACCES);
VALUE(FI_EBUSY);
VALUE(FI_EINVAL);
VALUE(EPIPE);
VALUE(FI_ENOSYS);
VALUE(FI_ENODATA);
VALUE(FI_EOPNOTSUPP);
VALUE(FI_EADDRINUSE);
VALUE(FI_EADDRNOTAVAIL);
VALUE(FI_ENETUNREACH);
VALUE(FI_ECONNABORTED);
VALUE(FI_ECONNRESET);
VALUE(FI_ENOTCONN);
VALUE(FI_ESHUTDOWN);
VALUE(FI_ETIMEDOUT);
VALUE(FI_ECONNREFUSED);
VALUE(FI_EHOSTDOWN);
VALUE(FI_EHOSTUNREACH);
VALUE(FI_ECANCELED);
VALUE(FI_EKEYREJECTED);
VALUE(FI_EAVAIL);
VALUE(FI_ETRUNC);
VALUE(FI_EOVERRUN);
VALUE(FI_ENOKEY);
VALUE(FI_ENORX);
