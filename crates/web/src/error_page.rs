//! The page that a browser shows for an address without a board.

use super::http::{Request, Response, StatusCode};

const TEMPLATE: &str = include_str!("error_page.html");

/// The address has no key or an outdated one.
const WRONG_KEY: &str = "\
<main><section>
<h1>This address does not lead to a board</h1>
<p>The address ends with a key, but this key is not valid, or no longer valid.
Open the whole address that <code>cannonade web</code> printed when it was started.</p>
</section><section lang=\"zh-Hans\">
<h1>此地址没有对应的棋盘</h1>
<p>地址末尾是密钥，而此密钥无效或已失效。请打开 <code>cannonade web</code> 启动时显示的完整地址。</p>
</section></main>";

/// Something else is at fault, such as a path after the key.
const NOTHING_HERE: &str = "\
<main><section>
<h1>There is nothing at this address</h1>
<p>The address of the board ends with its key and a slash: leave out what follows.</p>
</section><section lang=\"zh-Hans\">
<h1>此地址没有内容</h1>
<p>棋盘的地址以密钥和斜杠结尾，请删去其后的部分。</p>
</section></main>";

/// Turns an error into a page if a browser opens the address.
pub(super) fn readable(request: &Request, response: Response) -> Response {
    let text = match response.status {
        StatusCode::Forbidden => WRONG_KEY,
        StatusCode::NotFound => NOTHING_HERE,
        _ => return response,
    };
    if !request.wants_page() {
        return response;
    }
    Response::static_page(TEMPLATE.replace("{{text}}", text)).with_status(response.status)
}
